import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { Storage } from '../../src/resources/storage.ts';
import { type LocalSite, type SiteKind, siteKinds } from '../../test/support/local-sites.ts';
import { endedScans, queueScans } from '../fixture/scans.ts';
import { cpuSeconds, familyCpuSeconds } from '../processes/cpu-time.ts';
import { median, quantile } from './median.ts';

/** Scans of websites by one worker, or the work that they are compared with. CPU in milliseconds per site. */
export interface ScanRate {
  readonly sitesPerMinute: number;
  readonly workerCpu: number;
  /** Of it, that of the worker's own process, without its sandbox processes: planning, queueing and reconciling. */
  readonly planningCpu: number;
  readonly postgresCpu: number;
  /** The CPU time of the sites themselves, which is not part of a scan's cost. */
  readonly sitesCpu: number;
}

/** The duration of an inspection in milliseconds. */
interface Inspection {
  readonly kind: SiteKind;
  readonly milliseconds: number;
}

interface ScanRound extends ScanRate {
  readonly inspections: readonly Inspection[];
}

export interface InspectionTime {
  readonly kind: SiteKind;
  readonly median: number;
  readonly p95: number;
}

/** Process ids. */
interface ScanningProcesses {
  readonly worker: number;
  readonly postmaster: number;
  readonly sites: number;
}

export interface ScanningService {
  readonly storage: Storage;
  readonly owner: pg.Client;
  readonly processes: ScanningProcesses;
}

/** A worker that takes longer has died or is stuck. */
const longestMs = 180_000;

/** Scans each site once, for a new organization, and waits until the worker is idle. */
export async function measureScans(
  { storage, owner, processes }: ScanningService,
  sites: readonly LocalSite[],
): Promise<ScanRound> {
  let before = cpuOf(processes);
  const hosts = sites.map(({ url }) => url);
  const organizationId = await queueScans(storage, hosts, () => {
    before = cpuOf(processes);
  });
  const deadline = Date.now() + longestMs;
  let ended = await endedScans(owner, organizationId);
  while (!ended) {
    if (Date.now() > deadline) throw new Error('the worker did not end its scans');
    await pause(100);
    ended = await endedScans(owner, organizationId);
  }
  const after = cpuOf(processes);
  const each = (name: keyof ReturnType<typeof cpuOf>) =>
    ((after[name] - before[name]) * 1_000) / sites.length;
  const kinds = new Map(sites.map(({ url, kind }) => [url, kind]));
  return {
    sitesPerMinute: (sites.length * 60) / ended.seconds,
    workerCpu: each('worker'),
    planningCpu: each('planning'),
    postgresCpu: each('postmaster'),
    sitesCpu: each('sites'),
    inspections: ended.inspections.map(({ host, milliseconds }) => ({
      kind: kinds.get(host)!,
      milliseconds,
    })),
  };
}

/** The median of each figure. */
export function medianRate(rounds: readonly ScanRate[]): ScanRate {
  const of = (figure: keyof ScanRate) => median(rounds.map(round => round[figure]));
  return {
    sitesPerMinute: of('sitesPerMinute'),
    workerCpu: of('workerCpu'),
    planningCpu: of('planningCpu'),
    postgresCpu: of('postgresCpu'),
    sitesCpu: of('sitesCpu'),
  };
}

/** The durations of all inspections of all rounds. */
export function inspectionTimes(rounds: readonly ScanRound[]): InspectionTime[] {
  const inspections = rounds.flatMap(round => round.inspections);
  return siteKinds.map(kind => {
    const times = inspections
      .filter(inspection => inspection.kind === kind)
      .map(({ milliseconds }) => milliseconds);
    return { kind, median: median(times), p95: quantile(times, 0.95) };
  });
}

function cpuOf({ worker, postmaster, sites }: ScanningProcesses) {
  return {
    // Including its sandbox processes, also those that have ended.
    worker: familyCpuSeconds(worker),
    planning: cpuSeconds(worker),
    postmaster: familyCpuSeconds(postmaster),
    sites: cpuSeconds(sites),
  };
}
