import { ScanDetailEnvelope } from '../../../contract/dashboard/scans.ts';
import { found, objectId } from '../../../http/answers.ts';
import type { Api } from '../../../http/api.ts';
import { findScanDetail } from '../../../storage/dashboard/scan-list.ts';
import { ObjectParams, organizationPath } from '../../organization-path.ts';

export function readScanRoute(app: Api): void {
  const schema = { params: ObjectParams, response: { 200: ScanDetailEnvelope } };
  const config = { access: 'member' } as const;
  app.get(`${organizationPath}/scans/:id`, { config, schema }, async request => ({
    scan: found(await findScanDetail(request.store, objectId(request.params))),
  }));
}
