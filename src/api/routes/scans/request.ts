import { RequestScan, ScanEnvelope } from '../../../contract/scans.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { found } from '../../../http/answers.ts';
import type { Api } from '../../../http/api.ts';
import { findReusedScan, requestScan } from '../../../storage/request-scan.ts';
import { findSource } from '../../../storage/sources.ts';
import { findSystem } from '../../../storage/systems.ts';
import { describe } from '../../describe.ts';

export function requestScanRoute(app: Api): void {
  const schema = describe('Enqueue a safe_all_surfaces scan', {
    body: RequestScan,
    response: { 200: ScanEnvelope, 201: ScanEnvelope },
  });
  app.post('/api/v1/scans', { config: { scope: 'scans:write' }, schema }, async (request, reply) => {
    const { system_id, source_id } = request.body;
    if ((system_id === undefined) === (source_id === undefined)) throw new Refusal('scan_target_ambiguous');
    // A repeated request finds its scan, whatever has become of its target since.
    const reused = await findReusedScan(request.store, request.body);
    if (reused) return reply.code(200).send({ scan: reused });
    const { scan, created } = await request.store.transaction(async transaction => {
      if (system_id !== undefined) found(await findSystem(transaction, system_id));
      if (source_id !== undefined) found(await findSource(transaction, source_id));
      return requestScan(transaction, request.body);
    });
    return reply.code(created ? 201 : 200).send({ scan });
  });
}
