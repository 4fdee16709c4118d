import { ListScansQuery, ScanList } from '../../../contract/scans.ts';
import type { App } from '../../../http/app.ts';
import { listScans } from '../../../resources/scans/scans.ts';
import { describe } from '../../describe.ts';

export function listScansRoute(app: App): void {
  const schema = describe('List scans', { querystring: ListScansQuery, response: { 200: ScanList } });
  app.get('/api/v1/scans', { config: { scope: 'findings:read', reads: 'scans' }, schema }, async request => {
    const { rows: scans, next_cursor } = await listScans(request.store, request.query);
    return { scans, next_cursor };
  });
}
