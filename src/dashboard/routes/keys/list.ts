import { ApiKeyPage, ListApiKeys } from '../../../contract/dashboard/keys.ts';
import type { App } from '../../../http/app.ts';
import { pageOfApiKeys } from '../../../resources/keys/api-keys.ts';
import { organizationPath } from '../../organization-path.ts';

/** Lists keys without secrets, newest first. */
export function listKeysRoute(app: App): void {
  const schema = { querystring: ListApiKeys, response: { 200: ApiKeyPage } };
  const config = { access: 'admin' } as const;
  app.get(`${organizationPath}/keys`, { config, schema }, async request => {
    const { rows, next_cursor } = await pageOfApiKeys(request.store, request.query);
    return { keys: rows, next_cursor };
  });
}
