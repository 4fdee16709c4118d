import { StoredCredential, SubmitCredential } from '../../../contract/sources.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { isPrivileged } from '../../../domain/source-states.ts';
import { found, IdParams, objectId } from '../../../http/answers.ts';
import type { Api } from '../../../http/api.ts';
import { submitCredential } from '../../../storage/connect-source.ts';
import { lockSource } from '../../../storage/sources.ts';
import { describe } from '../../describe.ts';
import type { ApiServices } from '../../services.ts';

export function storeCredentialRoute(app: Api, services: ApiServices): void {
  const schema = describe('Submit a credential, which is never shown again', {
    params: IdParams,
    body: SubmitCredential,
    response: { 200: StoredCredential },
  });
  app.post(
    '/api/v1/sources/:id/credential',
    { config: { scope: 'sources:write' }, schema },
    async request => {
      const id = objectId(request.params);
      const { credential } = request.body;
      return request.store.transaction(async transaction => {
        const source = found(await lockSource(transaction, id));
        if (isPrivileged(source.kind) && !request.apiKey.scopes.includes('sources:privileged'))
          throw new Refusal('forbidden');
        const { privilegedConnections } = services;
        return submitCredential(transaction, source, credential, {
          vault: services.storage.vault,
          privilegedConnections,
        });
      });
    },
  );
}
