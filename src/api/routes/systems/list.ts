import { ListSystemsQuery, SystemList } from '../../../contract/systems.ts';
import type { App } from '../../../http/app.ts';
import { listSystems } from '../../../resources/systems/systems.ts';
import { describe } from '../../describe.ts';

export function listSystemsRoute(app: App): void {
  const schema = describe('List systems', { querystring: ListSystemsQuery, response: { 200: SystemList } });
  app.get(
    '/api/v1/systems',
    { config: { scope: 'findings:read', reads: 'systems' }, schema },
    async request => {
      const { rows: systems, next_cursor } = await listSystems(request.store, request.query);
      return { systems, next_cursor };
    },
  );
}
