import { StartFullScan } from '../../../contract/dashboard/scans.ts';
import { ScanEnvelope } from '../../../contract/scans.ts';
import { found } from '../../../http/answers.ts';
import type { App } from '../../../http/app.ts';
import { requestFullActiveScan } from '../../../resources/sources/domain-proofs.ts';
import { findSource } from '../../../resources/sources/sources.ts';
import { organizationPath } from '../../organization-path.ts';
import type { DashboardServices } from '../../services.ts';

/** Starts a full scan of a website with proof of domain. Requires a step-up, since it sends more than ordinary visits. */
export function startFullScanRoute(app: App, services: DashboardServices): void {
  const schema = { body: StartFullScan, response: { 202: ScanEnvelope } };
  const config = { access: 'admin', stepUp: true } as const;
  app.post(`${organizationPath}/scans/full`, { config, schema }, async (request, reply) => {
    const { source_id } = request.body;
    const scan = await request.store.transaction(async transaction => {
      found(await findSource(transaction, source_id));
      return requestFullActiveScan(transaction, source_id, services);
    });
    return reply.code(202).send({ scan });
  });
}
