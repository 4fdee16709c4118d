import { FindingFilters } from '../../../contract/dashboard/finding-filters.ts';
import { FindingCounts } from '../../../contract/dashboard/findings.ts';
import type { App } from '../../../http/app.ts';
import { countFindings } from '../../../resources/findings/finding-list.ts';
import { organizationPath } from '../../organization-path.ts';
import { ownFilters } from './own-filters.ts';

export function countFindingsRoute(app: App): void {
  const schema = { querystring: FindingFilters, response: { 200: FindingCounts } };
  const config = { access: 'member' } as const;
  app.get(`${organizationPath}/findings/counts`, { config, schema }, request =>
    countFindings(request.store, ownFilters(request, request.query)),
  );
}
