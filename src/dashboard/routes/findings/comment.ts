import { CommentedFindings, CommentOnFindings } from '../../../contract/dashboard/finding-work.ts';
import type { App } from '../../../http/app.ts';
import { commentOnFindings } from '../../../resources/findings/comments.ts';
import { organizationPath } from '../../organization-path.ts';
import type { DashboardServices } from '../../services.ts';
import { countFindingChanges } from './work-limits.ts';

/** Adds a comment to one or more findings, all or none. */
export function commentOnFindingsRoute(app: App, services: Pick<DashboardServices, 'storage'>): void {
  const schema = { body: CommentOnFindings, response: { 201: CommentedFindings } };
  const config = {
    access: 'member',
    stepUp: { notNeeded: 'A comment has its author, who can delete it.' },
  } as const;
  app.post(`${organizationPath}/findings/comments`, { config, schema }, async (request, reply) => {
    const ids = await countFindingChanges(request, services, 'comments', request.body.ids);
    await request.store.transaction(transaction =>
      commentOnFindings(transaction, request.person.id, ids, request.body.body),
    );
    return reply.code(201).send({ commented: ids.length });
  });
}
