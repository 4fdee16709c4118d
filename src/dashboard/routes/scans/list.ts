import { ListScans, ScanPage } from '../../../contract/dashboard/scans.ts';
import type { App } from '../../../http/app.ts';
import { listScanRows } from '../../../resources/scans/scan-list.ts';
import { organizationPath } from '../../organization-path.ts';

export function listScansRoute(app: App): void {
  const schema = { querystring: ListScans, response: { 200: ScanPage } };
  const config = { access: 'member' } as const;
  app.get(`${organizationPath}/scans`, { config, schema }, request =>
    listScanRows(request.store, request.query),
  );
}
