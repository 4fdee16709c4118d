import { ListSourcesQuery, SourceList } from '../../../contract/sources.ts';
import type { App } from '../../../http/app.ts';
import { listSources } from '../../../resources/sources/sources.ts';
import { describe } from '../../describe.ts';

export function listSourcesRoute(app: App): void {
  const schema = describe('List sources', { querystring: ListSourcesQuery, response: { 200: SourceList } });
  app.get(
    '/api/v1/sources',
    { config: { scope: 'findings:read', reads: 'sources' }, schema },
    async request => {
      const { rows: sources, next_cursor } = await listSources(request.store, request.query);
      return { sources, next_cursor };
    },
  );
}
