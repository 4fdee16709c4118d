import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { Storage } from '../../src/resources/storage.ts';
import { type LocalSite, type SiteKind, siteKinds } from '../../test/support/local-sites.ts';
import { endedScans, queueScans } from '../fixture/scans.ts';
import { cpuSeconds, familyCpuSeconds } from '../processes/cpu-time.ts';
import { median, quantile } from './median.ts';

/** Scans of websites by one worker, or what a round of them is compared with. CPU in milliseconds for one site. */
export interface ScanRate {
  readonly sitesPerMinute: number;
  readonly workerCpu: number;
  readonly postgresCpu: number;
  /** What the sites themselves cost is no cost of a scan. */
  readonly sitesCpu: number;
}

/** Milliseconds from the start of a look to its end. */
interface Look {
  readonly kind: SiteKind;
  readonly milliseconds: number;
}

interface ScanRound extends ScanRate {
  readonly looks: readonly Look[];
}

export interface LookTime {
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

/** A worker that takes longer has died or does nothing. */
const longestMs = 180_000;

/** Has each site scanned once for an organization of its own, and waits until the worker has nothing left to do. */
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
  const each = (name: keyof ScanningProcesses) => ((after[name] - before[name]) * 1_000) / sites.length;
  const kinds = new Map(sites.map(({ url, kind }) => [url, kind]));
  return {
    sitesPerMinute: (sites.length * 60) / ended.seconds,
    workerCpu: each('worker'),
    postgresCpu: each('postmaster'),
    sitesCpu: each('sites'),
    looks: ended.looks.map(({ host, milliseconds }) => ({ kind: kinds.get(host)!, milliseconds })),
  };
}

/** The median of each figure. */
export function medianRate(rounds: readonly ScanRate[]): ScanRate {
  const of = (figure: keyof ScanRate) => median(rounds.map(round => round[figure]));
  return {
    sitesPerMinute: of('sitesPerMinute'),
    workerCpu: of('workerCpu'),
    postgresCpu: of('postgresCpu'),
    sitesCpu: of('sitesCpu'),
  };
}

/** Of all looks of all rounds. */
export function lookTimes(rounds: readonly ScanRound[]): LookTime[] {
  const looks = rounds.flatMap(round => round.looks);
  return siteKinds.map(kind => {
    const times = looks.filter(look => look.kind === kind).map(({ milliseconds }) => milliseconds);
    return { kind, median: median(times), p95: quantile(times, 0.95) };
  });
}

function cpuOf({ worker, postmaster, sites }: ScanningProcesses): Record<keyof ScanningProcesses, number> {
  return {
    // With its sandbox processes, those that have ended too.
    worker: familyCpuSeconds(worker),
    postmaster: familyCpuSeconds(postmaster),
    sites: cpuSeconds(sites),
  };
}
