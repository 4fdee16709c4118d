import { FindingGroups, GroupFindings } from '../../../contract/dashboard/finding-groups.ts';
import type { App } from '../../../http/app.ts';
import { ownFilters } from '../../../resources/findings/finding-conditions.ts';
import { groupFindings } from '../../../resources/findings/finding-groups.ts';
import { organizationPath } from '../../organization-path.ts';

/** The filtered findings by check or system. */
export function groupFindingsRoute(app: App): void {
  const schema = { querystring: GroupFindings, response: { 200: FindingGroups } };
  const config = { access: 'member' } as const;
  app.get(`${organizationPath}/findings/groups`, { config, schema }, request => {
    const { by, ...filters } = request.query;
    return groupFindings(request.store, ownFilters(request.person.id, filters), by);
  });
}
