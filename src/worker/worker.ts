import type { Places } from '../database/jobs/job-queue.ts';
import type { InspectJob } from '../database/jobs/queues.ts';
import { DatabaseUnavailable } from '../database/outages.ts';
import { hostOfSource } from '../resources/scans/scans.ts';
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

/**
 * Sources that one worker inspects concurrently. Each mostly waits for its target, so more of them finish
 * sooner until the CPU is busy, but each may keep a target's data in memory. Most places are reserved for
 * organizations with few running scans, because all targets of another may be slow. Full scans can take
 * minutes and use separate places.
 */
export const inspections = {
  safe: { shared: 4, kept: { places: 8, perOrganization: 2 } },
  full: { shared: 1, kept: { places: 4, perOrganization: 1 } },
} as const satisfies Record<string, Places>;

/** Processes that inspections need concurrently. */
export const mostInspections = Object.values(inspections)
  .map(({ shared, kept }) => shared + kept.places)
  .reduce((sum, places) => sum + places);

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
export async function startWorker(services: WorkerServices): Promise<Worker> {
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
