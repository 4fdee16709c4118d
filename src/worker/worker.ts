import type { JobHandler } from '../database/jobs/job-queue.ts';
import type { Places } from '../database/jobs/places.ts';
import type { InspectJob, QueueName } from '../database/jobs/queues.ts';
import { DatabaseUnavailable } from '../database/outages.ts';
import { hostOfSource } from '../resources/scans/scans.ts';
import { ownBytesAtStart, tasksPerProcess } from '../sandbox/limits.ts';
import { HostPermits } from '../scan/host-permits.ts';
import { worker } from './actor.ts';
import { Continuity } from './continuity.ts';
import { MachineLoad, Pace, paceEveryMs } from './pace.ts';
import { recur } from './recurring.ts';
import type { WorkerServices } from './services.ts';
import { abandonScan } from './tasks/abandon-scan.ts';
import { deleteWhatIsOld } from './tasks/delete-what-is-old.ts';
import { doWhatIsDue } from './tasks/do-what-is-due.ts';
import { inspectSource } from './tasks/inspect-source.ts';
import { planScan } from './tasks/plan-scan.ts';
import { foresee, prepareMessages } from './tasks/prepare-messages.ts';
import { type InboxPlaces, processEvents } from './tasks/process-events.ts';
import { sendMessages } from './tasks/send-messages.ts';
import { traced } from './traced.ts';

/**
 * Places of safe scans that are shared: as many as the CPUs and the memory allow. More are reserved for organizations with few running
 * scans, because all targets of another may be slow.
 */
const least = 4;
const kept = { places: 8, perOrganization: 2 };

/** Full scans can take minutes and use separate places. */
const full = { shared: 1, kept: { places: 4, perOrganization: 1 } } as const satisfies Places;
const fullAtOnce = full.shared + full.kept.places;

/** Safe scans of one worker at most: each needs a few connections. */
const most = 256;

/** What the sandbox processes of a worker may do at a time. */
export interface InspectionPlaces {
  readonly processes: number;
  /** Safe scans of one organization. */
  readonly ofOneOrganization: number;
}

/** @param memoryBytes of all sandbox processes */
export function inspectionPlaces(memoryBytes: number): InspectionPlaces {
  const processes = Math.floor(memoryBytes / ownBytesAtStart);
  const tasks = Math.min(most, (processes - fullAtOnce) * tasksPerProcess);
  return { processes, ofOneOrganization: tasks - kept.places + kept.perOrganization };
}

/** Work that takes milliseconds, unless locks of its own organization delay it. */
const brief: Places = { shared: 0, kept: { places: 4, perOrganization: 1 } };

const sweepEveryMs = 60_000;
const dueEveryMs = 5_000;
const eventsEveryMs = 500;
const messagesEveryMs = 1_000;
const foreseeEveryMs = 600_000;

export interface Worker {
  /** Stops taking new work. Running jobs end with the job queue. */
  stop(): void;
}

/** Works on the jobs of all organizations, and removes expired rows. */
export async function startWorker(
  services: WorkerServices,
  { ofOneOrganization }: InspectionPlaces,
): Promise<Worker> {
  const pace = new Pace({ least, most: ofOneOrganization - kept.perOrganization });
  const { jobs } = services.storage;
  const hosts = new HostPermits(services.isAllowlistedHost);
  const work = <Name extends QueueName>(queue: Name, places: Places, handle: JobHandler<Name>) =>
    jobs.work(queue, places, traced(services.tracer, queue, handle));
  const inspect = (job: InspectJob, signal: AbortSignal) => inspectSource(services, job, signal);
  work('scan-plan', brief, job => planScan(services, job));
  // Before its runs begin, because a scan that waits for a host has not started.
  const safe: Places = { shared: () => pace.limit, kept };
  const claims = work('scan-inspect', safe, async (job, signal) => {
    const { organizationId } = job;
    const host = await hostOfSource(services.storage.tenant(organizationId, worker), job.sourceId);
    await hosts.use(host, { holder: organizationId, signal }, () => inspect(job, signal));
  });
  work('scan-inspect-full', full, inspect);
  work('scan-abandoned', brief, job => abandonScan(services, job));
  const told = (event: string) => (error: unknown) => {
    if (!(error instanceof DatabaseUnavailable)) services.log(event, { err: error });
  };
  const continuity = new Continuity();
  const places: InboxPlaces = new Map();
  const load = new MachineLoad();
  const adjustPace = async () => {
    const before = pace.limit;
    // Those that wait for their host or a process use no CPU either, but more of them would wait too long.
    const { demand, waiting } = services.sandbox;
    pace.adjust(Math.max(demand, load.measure()), claims.running - hosts.waiting - waiting);
    if (pace.limit > before) claims.claim();
  };
  const recurring = [
    recur(paceEveryMs, adjustPace, told('pace.failed')),
    recur(sweepEveryMs, () => services.storage.sweep(), told('sweep.failed')),
    recur(dueEveryMs, () => continuity.turn(ms => doWhatIsDue(services, ms)), told('due.failed')),
    recur(dueEveryMs, () => deleteWhatIsOld(services), told('retention.failed')),
    recur(messagesEveryMs, () => prepareMessages(services), told('notices.failed')),
    recur(messagesEveryMs, () => sendMessages(services, 'mail'), told('messages.failed')),
    recur(messagesEveryMs, () => sendMessages(services, 'chat'), told('messages.failed')),
    recur(foreseeEveryMs, () => foresee(services), told('notices.failed')),
    recur(eventsEveryMs, () => processEvents(services, places), told('events.failed')),
  ];
  return {
    stop: () => {
      for (const work of recurring) work.stop();
    },
  };
}
