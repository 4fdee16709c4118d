import type { CollectionOptions } from '../../scan/collect-evidence.ts';
import type { Inspection } from '../../scan/detect.ts';
import { failedInspection, inspect, isFull } from '../../scan/inspect.ts';
import { proveDomain } from '../../scan/prove-domain.ts';
import { recordDomainProof, storedDomainProof } from '../../storage/domain-proofs.ts';
import type { InspectJob } from '../../storage/jobs/queues.ts';
import { findScanRequest, type ScanRequest } from '../../storage/scan-request.ts';
import { endRuns, lockUnfinishedRuns, startRuns } from '../../storage/scan-runs.ts';
import { finishScanIfDone, lockAuthorizedSource, type ScanSource } from '../../storage/scans.ts';
import type { TenantStore, TenantTransaction } from '../../storage/tenant-store.ts';
import type { WorkerServices } from '../services.ts';
import { keepInspection } from './keep-inspection.ts';
import { untilStopped } from './until-stopped.ts';

/**
 * Inspects one source for one scan. The job may come twice, or again after a worker died in the middle: runs that have
 * ended are left alone, and all that one inspection changes is one transaction.
 */
export async function inspectSource(
  services: WorkerServices,
  job: InspectJob,
  signal: AbortSignal,
): Promise<void> {
  const store = services.storage.tenant(job.organizationId, { kind: 'service', id: 'worker' });
  const started = await begin(store, job);
  if (!started) return;
  const inspection = await untilStopped(store, job.scanId, signal, stoppable =>
    look(services, store, started, stoppable),
  );
  if (inspection) await store.transaction(transaction => conclude(transaction, job, started, inspection));
}

interface Started {
  readonly request: ScanRequest;
  readonly source: ScanSource;
  readonly detectors: string[];
  /** When the look begins, by the database's clock. */
  readonly lookedAt: string;
}

/** Marks the runs as running. A source that was disconnected meanwhile is not touched: its runs are skipped. */
async function begin(store: TenantStore, job: InspectJob): Promise<Started | undefined> {
  return store.transaction(async transaction => {
    const source = await lockAuthorizedSource(transaction, job.sourceId);
    if (!source) {
      await skipRuns(transaction, job);
      await finishScanIfDone(transaction, job.scanId);
      return undefined;
    }
    const runs = await startRuns(transaction, job.scanId, job.sourceId);
    const { request, now } = await findScanRequest(transaction, job.scanId);
    return runs.length > 0
      ? { request, source, detectors: runs.map(run => run.detector), lookedAt: now }
      : undefined;
  });
}

/** Looks at the source as deep as was asked for. For a full look, its domain must be proven at this moment. */
async function look(
  { storage, scanning }: WorkerServices,
  store: TenantStore,
  { request, source, detectors }: Started,
  signal: AbortSignal,
): Promise<Inspection> {
  const full = isFull(source.kind, request.profile, detectors);
  if (full && !(await confirmDomain(store, source, { ...scanning, signal }))) {
    return failedInspection(source.kind, detectors, 'domain_not_proven');
  }
  const credential = await storage.vault.open(store, source.id);
  return inspect({ ...source, credential }, detectors, {
    ...scanning,
    signal,
    depth: full ? 'full' : 'safe',
    ...(request.place === null ? {} : { place: request.place }),
  });
}

async function confirmDomain(
  store: TenantStore,
  source: ScanSource,
  options: CollectionOptions,
): Promise<boolean> {
  const proof = await store.read(session => storedDomainProof(session, source.id));
  const method = proof && (await proveDomain(source, proof.token, options));
  if (!method) return false;
  await store.transaction(transaction => recordDomainProof(transaction, source.id, method));
  return true;
}

async function skipRuns(transaction: TenantTransaction, job: InspectJob): Promise<void> {
  const runs = await lockUnfinishedRuns(transaction, job.scanId, job.sourceId);
  const cause = 'the source is no longer authorized';
  await endRuns(
    transaction,
    runs.map(({ id }) => ({ id, status: 'skipped', cause })),
  );
}

async function conclude(
  transaction: TenantTransaction,
  job: InspectJob,
  started: Started,
  inspection: Inspection,
): Promise<void> {
  // The source's row orders scans of the same source; of two workers with the same job, the second finds no runs.
  const authorized = await lockAuthorizedSource(transaction, job.sourceId);
  const runs = await lockUnfinishedRuns(transaction, job.scanId, job.sourceId);
  if (runs.length === 0) return;
  if (!authorized) {
    await skipRuns(transaction, job);
  } else {
    await endRuns(
      transaction,
      runs.map(({ id, detector }) => {
        const outcome = inspection.runs.find(run => run.detector === detector);
        const { status, cause } = outcome ?? { status: 'failed', cause: 'detector_missing' };
        return { id, status, cause };
      }),
    );
    const { source, request, lookedAt } = started;
    // Late: from the posture on, the organization's other scans wait for this transaction.
    await keepInspection(transaction, { source, scanId: job.scanId, lookedAt, ...request }, inspection);
  }
  await finishScanIfDone(transaction, job.scanId);
}
