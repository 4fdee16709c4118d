import { recur } from './recurring.ts';
import type { WorkerServices } from './services.ts';
import { abandonScan } from './tasks/abandon-scan.ts';
import { doWhatIsDue } from './tasks/do-what-is-due.ts';
import { inspectSource } from './tasks/inspect-source.ts';
import { planScan } from './tasks/plan-scan.ts';

/**
 * Sources that one worker inspects at once. Each waits for its target most of the time: twice as many take half as long
 * until the CPU is busy. Each may hold what a target has sent. Targets of one organization may all be slow: two places
 * are always for the others.
 */
export const inspections = { atOnce: 8, perOrganization: 6 };
const sweepEveryMs = 60_000;
const dueEveryMs = 5_000;

export interface Worker {
  /** Stops taking new work. Running jobs end with the job queue. */
  stop(): void;
}

/** Works on the jobs of all organizations, and clears away what has expired. */
export async function startWorker(services: WorkerServices): Promise<Worker> {
  const { jobs } = services.storage;
  await jobs.work('scan-plan', { atOnce: 1 }, job => planScan(services, job));
  await jobs.work('scan-inspect', inspections, (job, signal) => inspectSource(services, job, signal));
  await jobs.work('scan-abandoned', { atOnce: 1 }, job => abandonScan(services, job));
  const told = (event: string) => (error: unknown) => services.log(event, { message: String(error) });
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
