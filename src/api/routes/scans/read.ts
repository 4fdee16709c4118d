import { ScanWithRunsEnvelope } from '../../../contract/scans.ts';
import { found, IdParams, objectId } from '../../../http/answers.ts';
import type { Api } from '../../../http/api.ts';
import { findScan } from '../../../storage/scans.ts';
import { describe } from '../../describe.ts';

export function readScanRoute(app: Api): void {
  const schema = describe('Read a scan with its runs', {
    params: IdParams,
    response: { 200: ScanWithRunsEnvelope },
  });
  app.get('/api/v1/scans/:id', { config: { scope: 'findings:read' }, schema }, async request => {
    const scan = found(await findScan(request.store, objectId(request.params)));
    return { scan };
  });
}
