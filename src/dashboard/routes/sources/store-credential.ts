import { StoredCredential, SubmitCredential } from '../../../contract/sources.ts';
import { found, IdParams, objectId } from '../../../http/answers.ts';
import type { App } from '../../../http/app.ts';
import { submitCredential } from '../../../resources/sources/connect-source.ts';
import { lockSource } from '../../../resources/sources/sources.ts';
import { organizationPath } from '../../organization-path.ts';
import type { DashboardServices } from '../../services.ts';

/** Stores a credential, the most sensitive input, so it requires a step-up. It is never shown again. */
export function storeCredentialRoute(app: App, services: DashboardServices): void {
  const { vault } = services.storage;
  const { credentialProblems } = services;
  // A role replaces the scope that a key needs.
  const permissions = { privilegedScope: true, privilegedConnections: services.privilegedConnections };
  const schema = { params: IdParams, body: SubmitCredential, response: { 200: StoredCredential } };
  const config = { access: 'admin', stepUp: true } as const;
  app.post(`${organizationPath}/sources/:id/credential`, { config, schema }, request => {
    const id = objectId(request.params);
    return request.store.transaction(async transaction => {
      const source = found(await lockSource(transaction, id));
      return submitCredential(transaction, source, request.body.credential, {
        vault,
        permissions,
        credentialProblems,
      });
    });
  });
}
