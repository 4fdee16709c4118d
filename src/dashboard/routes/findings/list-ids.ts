import { FindingFilters } from '../../../contract/dashboard/finding-filters.ts';
import { FindingIds } from '../../../contract/dashboard/finding-groups.ts';
import type { App } from '../../../http/app.ts';
import { ownFilters } from '../../../resources/findings/finding-conditions.ts';
import { listFindingIds } from '../../../resources/findings/finding-groups.ts';
import { organizationPath } from '../../organization-path.ts';

/** The filtered findings, to select them without loading them. */
export function listFindingIdsRoute(app: App): void {
  const schema = { querystring: FindingFilters, response: { 200: FindingIds } };
  const config = { access: 'member' } as const;
  app.get(`${organizationPath}/findings/ids`, { config, schema }, request =>
    listFindingIds(request.store, ownFilters(request.person.id, request.query)),
  );
}
