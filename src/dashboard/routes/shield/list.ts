import { ShieldOverview } from '../../../contract/dashboard/shield.ts';
import type { App } from '../../../http/app.ts';
import { listShields } from '../../../resources/shield/shield-list.ts';
import { organizationPath } from '../../organization-path.ts';

export function listShieldsRoute(app: App): void {
  const schema = { response: { 200: ShieldOverview } };
  const config = { access: 'member' } as const;
  app.get(`${organizationPath}/shield`, { config, schema }, request => listShields(request.store));
}
