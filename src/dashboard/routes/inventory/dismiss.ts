import { InventoryKey } from '../../../contract/dashboard/probes.ts';
import { closed } from '../../../contract/values.ts';
import type { App } from '../../../http/app.ts';
import { dismissItem } from '../../../resources/probes/inventory-list.ts';
import { organizationPath } from '../../organization-path.ts';

/** Leaves a host that a probe saw out of the inventory. */
export function dismissItemRoute(app: App): void {
  const schema = { body: InventoryKey, response: { 200: closed({}) } };
  // It would hide an unwanted database from the inventory.
  const config = { access: 'admin', stepUp: true } as const;
  app.post(`${organizationPath}/inventory/dismiss`, { config, schema }, async request => {
    await request.store.transaction(transaction => dismissItem(transaction, request.body));
    return {};
  });
}
