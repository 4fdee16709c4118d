import { FindingViewList } from '../../../contract/dashboard/views.ts';
import { closed } from '../../../contract/values.ts';
import type { App } from '../../../http/app.ts';
import { listFindingViews } from '../../../resources/findings/finding-views.ts';
import { organizationPath } from '../../organization-path.ts';

export function listViewsRoute(app: App): void {
  const schema = { querystring: closed({}), response: { 200: FindingViewList } };
  const config = { access: 'member' } as const;
  app.get(`${organizationPath}/views`, { config, schema }, async request => ({
    views: await listFindingViews(request.store, request.person.id),
  }));
}
