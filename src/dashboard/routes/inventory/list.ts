import { InventoryList, ListInventory } from '../../../contract/dashboard/probes.ts';
import type { App } from '../../../http/app.ts';
import { listInventory } from '../../../resources/probes/inventory-list.ts';
import { organizationPath } from '../../organization-path.ts';

export function listInventoryRoute(app: App): void {
  const schema = { querystring: ListInventory, response: { 200: InventoryList } };
  const config = { access: 'member' } as const;
  app.get(`${organizationPath}/inventory`, { config, schema }, request =>
    listInventory(request.store, request.query),
  );
}
