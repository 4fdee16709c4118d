import { ListSystems, SystemPage } from '../../../contract/dashboard/systems.ts';
import type { App } from '../../../http/app.ts';
import { listSystemRows } from '../../../resources/systems/system-list.ts';
import { organizationPath } from '../../organization-path.ts';

export function listSystemsRoute(app: App): void {
  const schema = { querystring: ListSystems, response: { 200: SystemPage } };
  const config = { access: 'member' } as const;
  app.get(`${organizationPath}/systems`, { config, schema }, request =>
    listSystemRows(request.store, request.query),
  );
}
