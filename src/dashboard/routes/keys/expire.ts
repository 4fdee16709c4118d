import { ApiKeyEnvelope, ExpireApiKey } from '../../../contract/dashboard/keys.ts';
import { found, IdParams, objectId } from '../../../http/answers.ts';
import type { App } from '../../../http/app.ts';
import { expireApiKey, findApiKey } from '../../../resources/keys/api-keys.ts';
import { organizationPath } from '../../organization-path.ts';

/** Moves the expiry earlier, never later. */
export function expireKeyRoute(app: App): void {
  const schema = { params: IdParams, body: ExpireApiKey, response: { 200: ApiKeyEnvelope } };
  const config = { access: 'admin', stepUp: true } as const;
  const url = `${organizationPath}/keys/:id/expire`;
  app.post(url, { config, schema }, async request => {
    const id = objectId(request.params);
    return request.store.transaction(async transaction => {
      await expireApiKey(transaction, id, new Date(request.body.at));
      return { key: found(await findApiKey(transaction, id)) };
    });
  });
}
