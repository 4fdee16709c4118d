import { setImmediate } from 'node:timers/promises';
import type { InspectJob } from '../../database/jobs/queues.ts';
import type { TenantStore } from '../../database/tenant-store.ts';
import type { Detector } from '../../detectors/detector.ts';
import { CredentialLost } from '../../resources/credentials/vault.ts';
import { openLocators, openSubjects } from '../../resources/findings/finding-changes.ts';
import { type BegunRuns, lockRunsOfSource } from '../../resources/scans/runs-of-source.ts';
import { countProcessDeath } from '../../resources/scans/scan-runs.ts';
import { recordDomainProof, storedDomainProof } from '../../resources/sources/domain-proofs.ts';
import { SandboxDied } from '../../sandbox/died.ts';
import { taskLimits } from '../../sandbox/limits.ts';
import type { Tasks } from '../../sandbox/tasks.ts';
import { failedInspection, type Inspection, inspectionOf } from '../../scan/inspection.ts';
import { depthOf, revisitedChecks } from '../../scan/plan.ts';
import type { WorkerServices } from '../services.ts';

/** One source's part of a scan. */
interface Part extends Pick<BegunRuns, 'source' | 'purpose'> {
  readonly detectors: readonly Detector<unknown>[];
}

/**
 * Captures the source and runs the detectors on it in a sandbox process. Failures of the source are in the
 * result. Rejects with `SandboxDied` if the process died.
 */
export async function inspectInSandbox(
  { storage, sandbox }: WorkerServices,
  store: TenantStore,
  { source, purpose, detectors }: Part,
  signal: AbortSignal,
): Promise<Inspection> {
  const depth = depthOf(purpose);
  const task = { organizationId: store.organizationId, signal };
  const proof = depth === 'full' ? await proveDomain(sandbox, store, source, task) : null;
  if (depth === 'full' && proof === null) return failedInspection(detectors, 'domain_not_proven');
  const { credential, ...open } = await store.read(async session => {
    const [credential, openPlaces, subjects] = await Promise.all([
      storage.vault.open(session, source.id).catch(nullWhereLost),
      openLocators(session, source.id, revisitedChecks(detectors)),
      openSubjects(session, source.id),
    ]);
    return { credential, openPlaces, openSubjects: subjects };
  });
  if (credential === null) return failedInspection(detectors, 'credential_lost');
  const names = detectors.map(({ name }) => name);
  const result = await sandbox.run(
    'inspect',
    { source: { ...source, credential }, detectors: names, depth, proof, place: purpose.place, ...open },
    { ...task, limits: taskLimits[depth], canShare: depth === 'safe' && source.kind === 'website' },
  );
  // Reading and validating a large result takes time: let waiting requests go first.
  await setImmediate();
  return 'unreachable' in result
    ? failedInspection(detectors, result.unreachable)
    : inspectionOf(source.id, detectors, result.results);
}

/** The current proof of the source's domain, checked again now, or null. */
async function proveDomain(
  sandbox: WorkerServices['sandbox'],
  store: TenantStore,
  { id, host }: Part['source'],
  task: { readonly organizationId: string; readonly signal: AbortSignal },
): Promise<Tasks['prove_domain']['result']> {
  const asked = await store.read(session => storedDomainProof(session, id));
  if (asked === undefined) return null;
  const limits = taskLimits.connection;
  const proof = await sandbox.run('prove_domain', { host, token: asked.token }, { ...task, limits });
  if (proof !== null) await store.transaction(transaction => recordDomainProof(transaction, id, proof.by));
  return proof;
}

function nullWhereLost(error: unknown): null {
  if (error instanceof CredentialLost) return null;
  throw error;
}

/** Sandbox processes that may die on one source's part of a scan before it is abandoned. */
const mostDeaths = 2;

/**
 * The failed inspection of a source on which too many processes died. Before that, throws the error, so that
 * the queue tries again, perhaps on another node.
 */
export async function giveUpAfterDeaths(
  store: TenantStore,
  job: InspectJob,
  detectors: readonly Detector<unknown>[],
  error: unknown,
): Promise<Inspection> {
  if (!(error instanceof SandboxDied)) throw error;
  const deaths = await store.transaction(async transaction => {
    await lockRunsOfSource(transaction, job);
    return countProcessDeath(transaction, job.scanId, job.sourceId);
  });
  if (deaths < mostDeaths) throw error;
  return failedInspection(detectors, error.deathCause);
}
