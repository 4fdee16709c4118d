import { ApiKeyEnvelope } from '../../../contract/dashboard/keys.ts';
import { closed } from '../../../contract/values.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { found, IdParams, objectId } from '../../../http/answers.ts';
import type { App } from '../../../http/app.ts';
import { findApiKey, revokeApiKey } from '../../../resources/keys/api-keys.ts';
import { organizationPath } from '../../organization-path.ts';

/** Revokes the key permanently, on every node at once. */
export function revokeKeyRoute(app: App): void {
  const schema = { params: IdParams, body: closed({}), response: { 200: ApiKeyEnvelope } };
  const config = { access: 'admin', stepUp: true } as const;
  const url = `${organizationPath}/keys/:id/revoke`;
  app.post(url, { config, schema }, async request => {
    const id = objectId(request.params);
    return request.store.transaction(async transaction => {
      found(await findApiKey(transaction, id));
      if (!(await revokeApiKey(transaction, id))) throw new Refusal('key_not_active');
      return { key: found(await findApiKey(transaction, id)) };
    });
  });
}
