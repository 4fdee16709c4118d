import type { Places } from '../database/jobs/job-queue.ts';
import type { InspectJob } from '../database/jobs/queues.ts';
import { DatabaseUnavailable } from '../database/outages.ts';
import { hostOfSource } from '../resources/scans/scans.ts';
import { ownBytesAtStart, tasksPerProcess } from '../sandbox/limits.ts';
import { HostPermits } from '../scan/host-permits.ts';
import { worker } from './actor.ts';
import { Continuity } from './continuity.ts';
import { recur } from './recurring.ts';
import type { WorkerServices } from './services.ts';
import { abandonScan } from './tasks/abandon-scan.ts';
import { doWhatIsDue } from './tasks/do-what-is-due.ts';
import { inspectSource } from './tasks/inspect-source.ts';
import { planScan } from './tasks/plan-scan.ts';
import { type InboxPlaces, processEvents } from './tasks/process-events.ts';

/** Jobs of scans in progress. */
export interface InspectionPlaces {
  readonly safe: Required<Places>;
  readonly full: Required<Places>;
  /** Sandbox processes. */
  readonly processes: number;
}

/** Safe scans at most, each of which needs a few connections and a share of the CPU. */
const mostSafe = 256;

/** Full scans, each in a separate process. */
const fullAtOnce = 5;

/**
 * Sources that one worker inspects concurrently, bounded by the memory of its sandbox processes: most inspections wait for their target,
 * and take little meanwhile. Half of the places are reserved for organizations with few running scans, because all targets of another may
 * be slow. Full scans can take minutes and use separate places.
 */
export function inspectionPlaces(memoryBytes: number): InspectionPlaces {
  const processes = Math.max(8, Math.floor(memoryBytes / ownBytesAtStart));
  const half = Math.min(mostSafe, (processes - fullAtOnce) * tasksPerProcess) / 2;
  return {
    safe: { shared: half, kept: { places: half, perOrganization: Math.max(2, Math.floor(half / 8)) } },
    full: { shared: 1, kept: { places: fullAtOnce - 1, perOrganization: 1 } },
    processes,
  };
}

/** Work that takes milliseconds, unless locks of its own organization delay it. */
const brief: Places = { shared: 0, kept: { places: 4, perOrganization: 1 } };

const sweepEveryMs = 60_000;
const dueEveryMs = 5_000;
const eventsEveryMs = 500;

export interface Worker {
  /** Stops taking new work. Running jobs end with the job queue. */
  stop(): void;
}

/** Works on the jobs of all organizations, and removes expired rows. */
export async function startWorker(services: WorkerServices, inspections: InspectionPlaces): Promise<Worker> {
  const { jobs } = services.storage;
  const hosts = new HostPermits(services.isAllowlistedHost);
  const inspect = (job: InspectJob, signal: AbortSignal) => inspectSource(services, job, signal);
  jobs.work('scan-plan', brief, job => planScan(services, job));
  // Before its runs begin, because a scan that waits for a host has not started.
  jobs.work('scan-inspect', inspections.safe, async (job, signal) => {
    const { organizationId } = job;
    const host = await hostOfSource(services.storage.tenant(organizationId, worker), job.sourceId);
    await hosts.use(host, { holder: organizationId, signal }, () => inspect(job, signal));
  });
  jobs.work('scan-inspect-full', inspections.full, inspect);
  jobs.work('scan-abandoned', brief, job => abandonScan(services, job));
  const told = (event: string) => (error: unknown) => {
    if (!(error instanceof DatabaseUnavailable)) services.log(event, { message: String(error) });
  };
  const continuity = new Continuity();
  const places: InboxPlaces = new Map();
  const recurring = [
    recur(sweepEveryMs, () => services.storage.sweep(), told('sweep.failed')),
    recur(dueEveryMs, () => continuity.turn(ms => doWhatIsDue(services, ms)), told('due.failed')),
    recur(eventsEveryMs, () => processEvents(services, places), told('events.failed')),
  ];
  return {
    stop: () => {
      for (const work of recurring) work.stop();
    },
  };
}
