import { setImmediate } from 'node:timers/promises';
import type { InspectJob } from '../../database/jobs/queues.ts';
import type { TenantStore, TenantTransaction } from '../../database/tenant-store.ts';
import { whileWanted } from '../../database/while-wanted.ts';
import type { Detector } from '../../detectors/detector.ts';
import { CredentialLost } from '../../resources/credentials/vault.ts';
import { openLocators, openSubjects } from '../../resources/findings/finding-changes.ts';
import { auditReopened } from '../../resources/findings/triage.ts';
import { findScanRequest, type ScanRequest } from '../../resources/scans/scan-request.ts';
import {
  countProcessDeath,
  endRuns,
  hasUnfinishedRuns,
  lockUnfinishedRuns,
  startRuns,
} from '../../resources/scans/scan-runs.ts';
import { finishScanIfDone, lockAuthorizedSource, type ScanSource } from '../../resources/scans/scans.ts';
import { recordDomainProof, storedDomainProof } from '../../resources/sources/domain-proofs.ts';
import { SandboxDied } from '../../sandbox/died.ts';
import { taskLimits } from '../../sandbox/limits.ts';
import type { Tasks } from '../../sandbox/tasks.ts';
import {
  detectorsNamed,
  failedInspection,
  type Inspection,
  inspectionOf,
  isFull,
} from '../../scan/inspection.ts';
import { worker } from '../actor.ts';
import type { WorkerServices } from '../services.ts';
import { keepInspection } from './keep-inspection.ts';

/** Processes that one inspection may cost before it is given up. */
const mostDeaths = 2;

/**
 * Inspects one source for one scan. The job may come twice, or again after a worker died in the middle: runs that have
 * ended are left alone, and all that one inspection changes is one transaction.
 */
export async function inspectSource(
  services: WorkerServices,
  job: InspectJob,
  signal: AbortSignal,
): Promise<void> {
  const store = services.storage.tenant(job.organizationId, worker);
  const started = await begin(store, job);
  if (!started) return;
  try {
    const inspection = await whileWanted(
      () => hasUnfinishedRuns(store, job),
      wanted => look(services, store, job, started, wanted),
      signal,
    );
    if (inspection) await store.transaction(transaction => conclude(transaction, job, started, inspection));
  } catch (error) {
    if (error instanceof CredentialLost) {
      const inspection = failedInspection(started.detectors, 'credential_lost');
      await store.transaction(transaction => conclude(transaction, job, started, inspection));
      return;
    }
    if (!(error instanceof SandboxDied)) throw error;
    const isGivenUp = await store.transaction(transaction => countDeath(transaction, job, started, error));
    // The queue tries again, in another process and perhaps on another node.
    if (!isGivenUp) throw error;
  }
}

/** Ends the runs with the cause when it was not the first time. */
async function countDeath(
  transaction: TenantTransaction,
  job: InspectJob,
  started: Started,
  { deathCause }: SandboxDied,
): Promise<boolean> {
  await lockAuthorizedSource(transaction, job.sourceId);
  await lockUnfinishedRuns(transaction, job.scanId, job.sourceId);
  if ((await countProcessDeath(transaction, job.scanId, job.sourceId)) < mostDeaths) return false;
  await conclude(transaction, job, started, failedInspection(started.detectors, deathCause));
  return true;
}

interface Started {
  readonly request: ScanRequest;
  readonly source: ScanSource;
  readonly detectors: readonly Detector<unknown>[];
  /** What is known of open findings. */
  readonly open: Pick<Tasks['inspect']['input'], 'openPlaces' | 'openSubjects'>;
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
    const detectors = detectorsNamed(
      source.kind,
      runs.map(run => run.detector),
    );
    if (runs.length === 0) return undefined;
    const revisited = detectors.flatMap(({ checks }) => checks).filter(check => check.revisited);
    const openPlaces = await openLocators(
      transaction,
      source.id,
      revisited.map(({ id }) => id),
    );
    const subjects = await openSubjects(transaction, source.id);
    return { request, source, detectors, open: { openPlaces, openSubjects: subjects }, lookedAt: now };
  });
}

/** Inspects the source as deep as was asked for. For a full scan, its domain must be proven at this moment. */
async function look(
  { storage, sandbox }: WorkerServices,
  store: TenantStore,
  { organizationId }: InspectJob,
  { request, source, detectors, open }: Started,
  signal: AbortSignal,
): Promise<Inspection> {
  const names = detectors.map(({ name }) => name);
  const depth = isFull(source.kind, request.profile, names) ? 'full' : 'safe';
  const task = { organizationId, signal };
  let proof: Tasks['prove_domain']['result'] = null;
  if (depth === 'full') {
    const asked = await store.read(session => storedDomainProof(session, source.id));
    if (asked !== undefined) {
      const input = { host: source.host, token: asked.token };
      proof = await sandbox.run('prove_domain', input, { ...task, limits: taskLimits.connection });
    }
    if (proof === null) return failedInspection(detectors, 'domain_not_proven');
    const { by } = proof;
    await store.transaction(transaction => recordDomainProof(transaction, source.id, by));
  }
  const credential = await storage.vault.open(store, source.id);
  const result = await sandbox.run(
    'inspect',
    { source: { ...source, credential }, detectors: names, depth, proof, place: request.place, ...open },
    { ...task, limits: taskLimits[depth] },
  );
  // A large result has just been read and validated: requests go first.
  await setImmediate();
  return 'unreachable' in result
    ? failedInspection(detectors, result.unreachable)
    : inspectionOf(source.id, detectors, result.results);
}

async function skipRuns(transaction: TenantTransaction, job: InspectJob): Promise<void> {
  const runs = await lockUnfinishedRuns(transaction, job.scanId, job.sourceId);
  const cause = 'source_disconnected';
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
  let reopened: string[] = [];
  if (!authorized) {
    await skipRuns(transaction, job);
  } else {
    await endRuns(
      transaction,
      runs.map(({ id, detector }) => {
        const outcome = inspection.runs.find(run => run.detector === detector);
        const { status, cause } = outcome ?? ({ status: 'failed', cause: 'detector_missing' } as const);
        return { id, status, cause };
      }),
    );
    const { source, request, lookedAt } = started;
    // Late: from the posture on, the organization's other scans wait for this transaction.
    const made = { source, scanId: job.scanId, lookedAt, ...request };
    reopened = await keepInspection(transaction, made, inspection);
  }
  await finishScanIfDone(transaction, job.scanId);
  await auditReopened(transaction, reopened);
}
