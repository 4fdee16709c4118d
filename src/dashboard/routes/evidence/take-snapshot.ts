import { EvidenceEnvelope, TakeSnapshot } from '../../../contract/dashboard/evidence.ts';
import { found, objectId } from '../../../http/answers.ts';
import type { Api } from '../../../http/api.ts';
import { storeEvidence } from '../../../storage/evidence/evidence.ts';
import { snapshotOfControls, snapshotOfScan } from '../../evidence/snapshots.ts';
import { organizationPath } from '../../organization-path.ts';
import type { DashboardServices } from '../../services.ts';

export function takeSnapshotRoute(app: Api, { storage, detectors }: DashboardServices): void {
  const config = { access: 'admin', stepUp: true } as const;
  const schema = { body: TakeSnapshot, response: { 201: EvidenceEnvelope } };
  const url = `${organizationPath}/evidence/snapshots`;
  app.post(url, { config, schema }, async (request, reply) => {
    const wanted = request.body;
    // Read at one moment; what is written after needs to see what others write to the audit log.
    const snapshot = await request.store.read(session =>
      wanted.kind === 'controls'
        ? snapshotOfControls(session, detectors)
        : snapshotOfScan(session, objectId({ id: wanted.scan_id })),
    );
    const evidence = await request.store.transaction(transaction =>
      storeEvidence(transaction, storage.keyRing, found(snapshot)),
    );
    return reply.code(201).send({ evidence });
  });
}
