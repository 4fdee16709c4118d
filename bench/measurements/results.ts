import type { JunkOutcome } from '../junk/measure.ts';
import type { ProcessThroughput } from '../phases/processes.ts';
import type { DetectorTimes } from './detectors.ts';
import type { EventPageTime } from './event-pages.ts';
import type { EventRate } from './event-rates.ts';
import type { Latency } from './latency.ts';
import type { Plan } from './plans.ts';
import type { InspectionTime, ScanRate } from './scans.ts';
import type { Throughput } from './throughput.ts';
import type { VerificationRates } from './verification.ts';
import type { WriterRates } from './writers.ts';

/** All measurements of one run. */
export interface Results {
  readonly machine: Machine;
  readonly verification: VerificationRates;
  readonly throughput: Record<ScenarioName, Throughput>;
  readonly writes: WriteResults;
  readonly processes: readonly ProcessThroughput[];
  readonly latency: readonly Latency[];
  readonly plans: readonly Plan[];
  readonly detectors: DetectorTimes;
  readonly scans: ScanResults;
  readonly schedule: ScheduleResults;
  readonly events: EventResults;
  readonly junk: JunkOutcome;
}

export interface EventResults {
  /** How many events one organization has. */
  readonly stored: number;
  readonly fleets: readonly (EventRate & { readonly probes: number })[];
  /** The same rows in one statement, into a plain table with the same indexes. */
  readonly bulk: EventRate;
  readonly costs: readonly (EventRate & { readonly stored: number; readonly randomIds: boolean })[];
  readonly pages: readonly EventPageTime[];
}

/** What planning the scans of watched sources takes. */
export interface ScheduleResults {
  /** Each with an hourly Watch. */
  readonly sources: number;
  readonly rows: readonly {
    /** To which the sources belong, in equal parts. */
    readonly organizations: number;
    /** That were planned. */
    readonly scans: number;
    /** CPU seconds per scan. */
    readonly worker: number;
    readonly postgres: number;
  }[];
}

export interface ScanResults {
  readonly sites: number;
  /** Scans by one worker of sites without latency. */
  readonly scanned: ScanRate;
  /** The same inspections in one process, without queue and database. */
  readonly inspected: ScanRate;
  /** Only the requests of those inspections. */
  readonly requested: ScanRate;
  /** Average number of GET requests per inspection. */
  readonly requests: number;
  readonly inspections: readonly InspectionTime[];
  /** Scans by the same worker of fewer sites, with delayed responses. */
  readonly away: {
    readonly sites: number;
    readonly delayMs: number;
    readonly scanned: ScanRate;
    readonly inspections: readonly InspectionTime[];
  };
  /** The worker's peak memory. */
  readonly peakMegabytes: number;
}

export interface Machine {
  readonly date: string;
  readonly cpu: string;
  readonly cores: number;
  readonly node: string;
  readonly postgres: string;
}

export const scenarioNames = {
  verify: 'bare route, signature verification only',
  list: 'GET findings?limit=20, 20 rows, one of them changed',
  listAll: 'same request, all rows changed',
  listOpen: 'all rows changed, without row-level security',
  unchanged: 'same request, data unchanged',
  notModified: 'same request with If-None-Match, 304',
  selfMade: 'minimal service: token, rate limit, nonce, list',
  scan: 'POST scans, repeated idempotency key',
  ingest: 'ingest of 100 events',
} as const;
export type ScenarioName = keyof typeof scenarioNames;

export const writeNames = {
  create: 'POST systems',
  createInOne: 'POST systems, all in one organization',
  scan: 'POST scans, a new scan',
  triage: 'triage of a finding in the dashboard',
} as const;

export interface WriteResults {
  readonly requests: readonly Throughput[];
  readonly writers: WriterRates;
}
