import { ScanRetention, ScanRetentionState } from '../../../contract/dashboard/retention.ts';
import type { App } from '../../../http/app.ts';
import { changeScanRetention, readScanRetention } from '../../../resources/scans/retention.ts';
import { organizationPath } from '../../organization-path.ts';

export function changeScanRetentionRoute(app: App): void {
  const config = { access: 'admin', stepUp: true } as const;
  const schema = { body: ScanRetention, response: { 200: ScanRetentionState } };
  app.put(`${organizationPath}/scans/retention`, { config, schema }, request =>
    request.store.transaction(async transaction => {
      await changeScanRetention(transaction, request.body);
      return readScanRetention(transaction);
    }),
  );
}
