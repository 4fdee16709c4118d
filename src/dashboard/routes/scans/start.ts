import { StartScan } from '../../../contract/dashboard/scans.ts';
import { ScanEnvelope } from '../../../contract/scans.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { found } from '../../../http/answers.ts';
import type { App } from '../../../http/app.ts';
import { startSafeScan } from '../../../resources/scans/request-scan.ts';
import { findSource } from '../../../resources/sources/sources.ts';
import { findSystem } from '../../../resources/systems/systems.ts';
import { organizationPath } from '../../organization-path.ts';
import type { DashboardServices } from '../../services.ts';

/** Starts a safe scan, or returns the running scan of the target. */
export function startScanRoute(app: App, services: DashboardServices): void {
  const schema = { body: StartScan, response: { 202: ScanEnvelope } };
  const config = {
    access: 'admin',
    stepUp: { notNeeded: 'Scans only authorized sources, and changes no settings.' },
  } as const;
  app.post(`${organizationPath}/scans`, { config, schema }, async (request, reply) => {
    const { system_id, source_id } = request.body;
    if ((system_id === undefined) === (source_id === undefined)) throw new Refusal('scan_target_ambiguous');
    const scan = await request.store.transaction(async transaction => {
      if (system_id !== undefined) found(await findSystem(transaction, system_id));
      if (source_id !== undefined) found(await findSource(transaction, source_id));
      return startSafeScan(
        transaction,
        { system_id: system_id ?? null, source_id: source_id ?? null },
        services,
      );
    });
    return reply.code(202).send({ scan });
  });
}
