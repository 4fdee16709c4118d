import type { FastifyRequest } from 'fastify';
import { RequestScan, ScanEnvelope } from '../../../contract/scans.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { found } from '../../../http/answers.ts';
import type { App } from '../../../http/app.ts';
import { findReusedScan, requestScan } from '../../../resources/scans/request-scan.ts';
import { findSource } from '../../../resources/sources/sources.ts';
import { findSystem } from '../../../resources/systems/systems.ts';
import { describe } from '../../describe.ts';
import type { ApiServices } from '../../services.ts';

export function requestScanRoute(app: App, services: ApiServices): void {
  const schema = describe('Request a safe_all_surfaces scan', {
    body: RequestScan,
    response: { 200: ScanEnvelope, 201: ScanEnvelope },
  });
  const config = { scope: 'scans:write' } as const;
  const preValidation = async ({ body }: FastifyRequest) => refuseBothTargets(body);
  app.post('/api/v1/scans', { config, schema, preValidation }, async (request, reply) => {
    const { system_id, source_id } = request.body;
    if ((system_id ?? null) === (source_id ?? null)) throw new Refusal('scan_target_ambiguous');
    // A retry returns its scan, even if the target was disconnected in the meantime.
    const reused = await findReusedScan(request.store, request.body);
    if (reused) return reply.code(200).send({ scan: reused });
    const { scan, created } = await request.store.transaction(async transaction => {
      if (system_id) found(await findSystem(transaction, system_id));
      if (source_id) found(await findSource(transaction, source_id));
      return requestScan(transaction, request.body, services);
    });
    return reply.code(created ? 201 : 200).send({ scan });
  });
}

/** Reported before any other error of the body (specification, section 4). */
function refuseBothTargets(body: unknown): void {
  const { system_id = null, source_id = null } = (body ?? {}) as Record<string, unknown>;
  if (system_id !== null && source_id !== null) throw new Refusal('scan_target_ambiguous');
}
