import { PreviewScanRetention, ScanRetentionState } from '../../../contract/dashboard/retention.ts';
import type { App } from '../../../http/app.ts';
import { readScanRetention } from '../../../resources/scans/retention.ts';
import { organizationPath } from '../../organization-path.ts';

export function readScanRetentionRoute(app: App): void {
  const config = { access: 'admin' } as const;
  const schema = { querystring: PreviewScanRetention, response: { 200: ScanRetentionState } };
  app.get(`${organizationPath}/scans/retention`, { config, schema }, request => {
    const { retention_days } = request.query;
    const another = retention_days === undefined ? undefined : Number(retention_days);
    return request.store.read(session => readScanRetention(session, another));
  });
}
