import { ListSystemNames, SystemNames } from '../../../contract/dashboard/systems.ts';
import type { App } from '../../../http/app.ts';
import { listSystemNames } from '../../../resources/systems/system-names.ts';
import { organizationPath } from '../../organization-path.ts';

/** Lists the names that people choose a system from. */
export function listSystemNamesRoute(app: App): void {
  const schema = { querystring: ListSystemNames, response: { 200: SystemNames } };
  const config = { access: 'member' } as const;
  app.get(`${organizationPath}/systems/names`, { config, schema }, async request => ({
    systems: await listSystemNames(request.store, request.query),
  }));
}
