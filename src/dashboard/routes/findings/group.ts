import { FindingGroups, GroupFindings } from '../../../contract/dashboard/finding-groups.ts';
import type { App } from '../../../http/app.ts';
import { groupFindings } from '../../../resources/findings/finding-groups.ts';
import { organizationPath } from '../../organization-path.ts';
import { ownFilters } from './own-filters.ts';

/** The filtered findings by check or system. */
export function groupFindingsRoute(app: App): void {
  const schema = { querystring: GroupFindings, response: { 200: FindingGroups } };
  const config = { access: 'member' } as const;
  app.get(`${organizationPath}/findings/groups`, { config, schema }, request => {
    const { by, ...filters } = request.query;
    return groupFindings(request.store, ownFilters(request, filters), by);
  });
}
