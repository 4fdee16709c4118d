import { InventoryKey } from '../../../contract/dashboard/probes.ts';
import { CreatedSource } from '../../../contract/sources.ts';
import type { App } from '../../../http/app.ts';
import { adoptItem } from '../../../resources/probes/inventory-list.ts';
import { organizationPath } from '../../organization-path.ts';

/** Creates a source, as a draft, from a host that a probe or a firewall saw. */
export function adoptItemRoute(app: App): void {
  const schema = { body: InventoryKey, response: { 201: CreatedSource } };
  const config = { access: 'admin', stepUp: true } as const;
  app.post(`${organizationPath}/inventory/adopt`, { config, schema }, async (request, reply) =>
    reply
      .code(201)
      .send(await request.store.transaction(transaction => adoptItem(transaction, request.body))),
  );
}
