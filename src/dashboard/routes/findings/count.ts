import { FindingFilters } from '../../../contract/dashboard/finding-filters.ts';
import { FindingCounts } from '../../../contract/dashboard/findings.ts';
import type { App } from '../../../http/app.ts';
import { ownFilters } from '../../../resources/findings/finding-conditions.ts';
import { countFindings } from '../../../resources/findings/finding-list.ts';
import { organizationPath } from '../../organization-path.ts';

export function countFindingsRoute(app: App): void {
  const schema = { querystring: FindingFilters, response: { 200: FindingCounts } };
  const config = { access: 'member' } as const;
  app.get(`${organizationPath}/findings/counts`, { config, schema }, request =>
    countFindings(request.store, ownFilters(request.person.id, request.query)),
  );
}
