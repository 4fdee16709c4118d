import { Overview } from '../../../contract/dashboard/overview.ts';
import { closed } from '../../../contract/values.ts';
import type { App } from '../../../http/app.ts';
import { recordVisit } from '../../../resources/people/visits.ts';
import { readOverview } from '../../../resources/posture/overview.ts';
import { organizationPath } from '../../organization-path.ts';
import type { DashboardServices } from '../../services.ts';

/** The start page. Records the visit, and returns changes since the previous one. */
export function readOverviewRoute(app: App, services: DashboardServices): void {
  const schema = { querystring: closed({}), response: { 200: Overview } };
  const config = { access: 'member' } as const;
  app.get(`${organizationPath}/overview`, { config, schema }, async request => {
    const since = await recordVisit(request.store, request.person.id);
    const reader = { since, isOwner: request.role === 'owner', personId: request.person.id };
    return readOverview(request.store, reader, services);
  });
}
