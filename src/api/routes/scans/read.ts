import { ScanWithRunsEnvelope } from '../../../contract/scans.ts';
import { found, IdParams, objectId } from '../../../http/answers.ts';
import type { App } from '../../../http/app.ts';
import { sendJson } from '../../../http/send-json.ts';
import { findScanText } from '../../../resources/scans/scans.ts';
import { describe } from '../../describe.ts';

export function readScanRoute(app: App): void {
  const schema = describe('Get a scan with its runs', {
    params: IdParams,
    response: { 200: ScanWithRunsEnvelope },
  });
  app.get(
    '/api/v1/scans/:id',
    { config: { scope: 'findings:read', reads: 'scans' }, schema },
    async (request, reply) => {
      const scan = found(await findScanText(request.store, objectId(request.params)));
      return sendJson(reply, `{"scan":${scan}}`);
    },
  );
}
