import { EvidenceEnvelope, TakeSnapshot } from '../../../contract/dashboard/evidence.ts';
import { found, objectId } from '../../../http/answers.ts';
import type { App } from '../../../http/app.ts';
import { roomForEvidence, storeEvidence } from '../../../resources/evidence/evidence.ts';
import { snapshotOfControls, snapshotOfScan, writeContent } from '../../evidence/snapshots.ts';
import { organizationPath } from '../../organization-path.ts';
import { applicantOf, largeTransfers } from '../../permits.ts';
import type { DashboardServices } from '../../services.ts';

/** Maximum snapshots that a node writes at once. Each is kept in memory and uses a connection. */
const snapshots = largeTransfers({ atOnce: 4, perOrganization: 1 });

export function takeSnapshotRoute(app: App, { storage, detectors }: DashboardServices): void {
  const config = { access: 'admin', stepUp: true } as const;
  const schema = { body: TakeSnapshot, response: { 201: EvidenceEnvelope } };
  const url = `${organizationPath}/evidence/snapshots`;
  app.post(url, { config, schema }, (request, reply) => {
    const { store, body: wanted } = request;
    return snapshots.use(applicantOf(request, reply), async () => {
      const room = await store.read(roomForEvidence);
      // Read in one database snapshot. The write needs a later one, which includes the latest audit entries.
      const snapshot = await store.read(async session => {
        const { content, ...facts } = found(
          wanted.kind === 'controls'
            ? await snapshotOfControls(session, detectors)
            : await snapshotOfScan(session, objectId({ id: wanted.scan_id })),
        );
        return { ...facts, content: await writeContent(content, room) };
      });
      const evidence = await store.transaction(transaction =>
        storeEvidence(transaction, storage.keyRing, snapshot),
      );
      return reply.code(201).send({ evidence });
    });
  });
}
