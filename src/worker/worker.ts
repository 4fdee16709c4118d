import type { Places } from '../database/jobs/job-queue.ts';
import type { InspectJob } from '../database/jobs/queues.ts';
import { DatabaseUnavailable } from '../database/outages.ts';
import { hostOfSource } from '../resources/scans/scans.ts';
import { HostPermits } from '../scan/host-permits.ts';
import { worker } from './actor.ts';
import { recur } from './recurring.ts';
import type { WorkerServices } from './services.ts';
import { abandonScan } from './tasks/abandon-scan.ts';
import { doWhatIsDue } from './tasks/do-what-is-due.ts';
import { inspectSource } from './tasks/inspect-source.ts';
import { planScan } from './tasks/plan-scan.ts';

/**
 * Sources that one worker inspects at once. Each waits for its target most of the time: twice as many take half as long
 * until the CPU is busy. Each may hold what a target has sent. Targets of some organizations may all be slow: most places are kept
 * for others. Full scans, which may take minutes, have none of those that safe scans wait for.
 */
export const inspections = {
  safe: { shared: 4, kept: { places: 8, perOrganization: 2 } },
  full: { shared: 1, kept: { places: 4, perOrganization: 1 } },
} as const satisfies Record<string, Places>;

/** Processes that inspections need at once. */
export const mostInspections = Object.values(inspections)
  .map(({ shared, kept }) => shared + kept.places)
  .reduce((sum, places) => sum + places);

/** Work that takes milliseconds, unless an organization's own locks hold it up. */
const brief: Places = { shared: 0, kept: { places: 4, perOrganization: 1 } };

const sweepEveryMs = 60_000;
const dueEveryMs = 5_000;

export interface Worker {
  /** Stops taking new work. Running jobs end with the job queue. */
  stop(): void;
}

/** Works on the jobs of all organizations, and clears away what has expired. */
export async function startWorker(services: WorkerServices): Promise<Worker> {
  const { jobs } = services.storage;
  const hosts = new HostPermits(services.isAllowlistedHost);
  const inspect = (job: InspectJob, signal: AbortSignal) => inspectSource(services, job, signal);
  await jobs.work('scan-plan', brief, job => planScan(services, job));
  // Before its runs begin: a scan that waits has not started.
  await jobs.work('scan-inspect', inspections.safe, async (job, signal) => {
    const { organizationId } = job;
    const host = await hostOfSource(services.storage.tenant(organizationId, worker), job.sourceId);
    await hosts.use(host, { holder: organizationId, signal }, () => inspect(job, signal));
  });
  await jobs.work('scan-inspect-full', inspections.full, inspect);
  await jobs.work('scan-abandoned', brief, job => abandonScan(services, job));
  const told = (event: string) => (error: unknown) => {
    if (!(error instanceof DatabaseUnavailable)) services.log(event, { message: String(error) });
  };
  const recurring = [
    recur(sweepEveryMs, () => services.storage.sweep(), told('sweep.failed')),
    recur(dueEveryMs, () => doWhatIsDue(services), told('due.failed')),
  ];
  return {
    stop: () => {
      for (const work of recurring) work.stop();
    },
  };
}
