import { ReadScan, ScanDetailPage } from '../../../contract/dashboard/scans.ts';
import { found, IdParams, objectId } from '../../../http/answers.ts';
import type { App } from '../../../http/app.ts';
import { findScanDetail } from '../../../resources/scans/scan-list.ts';
import { organizationPath } from '../../organization-path.ts';

export function readScanRoute(app: App): void {
  const schema = { params: IdParams, querystring: ReadScan, response: { 200: ScanDetailPage } };
  const config = { access: 'member' } as const;
  app.get(`${organizationPath}/scans/:id`, { config, schema }, async request =>
    found(await findScanDetail(request.store, objectId(request.params), request.query.cursor)),
  );
}
