import { ListSources, SourcePage } from '../../../contract/dashboard/sources.ts';
import type { App } from '../../../http/app.ts';
import { listSourceRows } from '../../../resources/sources/source-list.ts';
import { organizationPath } from '../../organization-path.ts';
import type { DashboardServices } from '../../services.ts';

export function listSourcesRoute(app: App, services: DashboardServices): void {
  const schema = { querystring: ListSources, response: { 200: SourcePage } };
  const config = { access: 'member' } as const;
  app.get(`${organizationPath}/sources`, { config, schema }, request =>
    listSourceRows(request.store, request.query, services),
  );
}
