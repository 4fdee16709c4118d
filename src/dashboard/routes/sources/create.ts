import { CreatedSource, CreateSource } from '../../../contract/sources.ts';
import type { App } from '../../../http/app.ts';
import { draftSource } from '../../../resources/sources/connect-source.ts';
import { organizationPath } from '../../organization-path.ts';
import type { DashboardServices } from '../../services.ts';

export function createSourceRoute(app: App, { isBlockedAddress }: DashboardServices): void {
  const schema = { body: CreateSource, response: { 201: CreatedSource } };
  // A stolen session could otherwise use up all drafts that an organization may have.
  const config = { access: 'admin', stepUp: true } as const;
  app.post(`${organizationPath}/sources`, { config, schema }, async (request, reply) =>
    reply
      .code(201)
      .send(
        await request.store.transaction(transaction =>
          draftSource(transaction, request.body, isBlockedAddress),
        ),
      ),
  );
}
