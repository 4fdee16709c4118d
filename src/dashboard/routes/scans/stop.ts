import { ScanDetailPage } from '../../../contract/dashboard/scans.ts';
import { closed } from '../../../contract/values.ts';
import { found, IdParams, objectId } from '../../../http/answers.ts';
import type { App } from '../../../http/app.ts';
import { findScanDetail } from '../../../resources/scans/scan-list.ts';
import { cancelScan } from '../../../resources/scans/stop-scans.ts';
import { organizationPath } from '../../organization-path.ts';

/** Scans that have ended do not change. */
export function stopScanRoute(app: App): void {
  const schema = { params: IdParams, body: closed({}), response: { 200: ScanDetailPage } };
  const config = {
    access: 'admin',
    stepUp: { notNeeded: 'Ends one scan, which can be started again. Findings are kept.' },
  } as const;
  app.post(`${organizationPath}/scans/:id/stop`, { config, schema }, async request => {
    const id = objectId(request.params);
    await request.store.transaction(transaction => cancelScan(transaction, id));
    return found(await findScanDetail(request.store, id));
  });
}
