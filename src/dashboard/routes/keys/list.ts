import { ApiKeyList } from '../../../contract/dashboard/keys.ts';
import type { Api } from '../../../http/api.ts';
import { listApiKeys } from '../../../storage/api-keys.ts';
import { organizationPath } from '../../organization-path.ts';

/** Every active key and the newest of the others, with nothing that opens anything. */
export function listKeysRoute(app: Api): void {
  const schema = { response: { 200: ApiKeyList } };
  const config = { access: 'admin' } as const;
  app.get(`${organizationPath}/keys`, { config, schema }, async request => ({
    keys: await request.store.read(listApiKeys),
  }));
}
