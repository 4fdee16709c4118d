import { closed } from '../../../contract/values.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { IdParams, objectId } from '../../../http/answers.ts';
import type { App } from '../../../http/app.ts';
import { deleteComment } from '../../../resources/findings/comments.ts';
import { organizationPath } from '../../organization-path.ts';

/** Deletes a comment of the person. */
export function deleteCommentRoute(app: App): void {
  const schema = { params: IdParams, response: { 200: closed({}) } };
  const config = {
    access: 'member',
    stepUp: { notNeeded: 'Only comments of the person. The audit log keeps that they existed.' },
  } as const;
  app.delete(`${organizationPath}/finding-comments/:id`, { config, schema }, async request => {
    const id = objectId(request.params);
    const deleted = await request.store.transaction(transaction =>
      deleteComment(transaction, request.person.id, id),
    );
    if (!deleted) throw new Refusal('not_found');
    return {};
  });
}
