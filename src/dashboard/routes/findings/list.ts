import { ListFindings } from '../../../contract/dashboard/finding-filters.ts';
import { FindingPage } from '../../../contract/dashboard/findings.ts';
import type { App } from '../../../http/app.ts';
import { ownFilters } from '../../../resources/findings/finding-conditions.ts';
import { listFindingRows } from '../../../resources/findings/finding-list.ts';
import { organizationPath } from '../../organization-path.ts';

export function listFindingsRoute(app: App): void {
  const schema = { querystring: ListFindings, response: { 200: FindingPage } };
  const config = { access: 'member' } as const;
  app.get(`${organizationPath}/findings`, { config, schema }, request =>
    listFindingRows(request.store, ownFilters(request.person.id, request.query)),
  );
}
