import type { JunkScale } from './junk/measure.ts';

export interface EventScale {
  /** Events of the organization whose page is timed. */
  readonly stored: number;
  readonly rounds: number;
  readonly costRounds: number;
  readonly pageRounds: number;
}

/** How much a run measures. */
export interface Scale {
  readonly organizations: number;
  readonly findingsEach: number;
  readonly connections: number;
  readonly rounds: number;
  readonly roundSeconds: number;
  readonly verificationSeconds: number;
  /** Numbers of findings of the organization whose lists are timed. */
  readonly populations: readonly number[];
  readonly latencyRounds: number;
  readonly latencyRequests: number;
  /** How often all detectors read a large page. */
  readonly detectorRounds: number;
  readonly sites: number;
  readonly scanRounds: number;
  /** Sites that are scanned with latency. */
  readonly sitesAway: number;
  /** How long scans are planned. */
  readonly scheduleSeconds: number;
  readonly events: EventScale;
  /** Junk that other clients send while signed requests are timed. */
  readonly junk: JunkScale;
}

/** Enough keys to stay within the limits: each organization may send 300 requests per minute. */
export const fullScale: Scale = {
  organizations: 800,
  findingsEach: 20,
  connections: 64,
  rounds: 7,
  roundSeconds: 2,
  verificationSeconds: 0.5,
  populations: [10_000, 100_000, 1_000_000],
  latencyRounds: 8,
  latencyRequests: 20,
  detectorRounds: 15,
  sites: 200,
  scanRounds: 3,
  sitesAway: 48,
  scheduleSeconds: 40,
  events: { stored: 10_000_000, rounds: 5, costRounds: 9, pageRounds: 15 },
  junk: { connections: 200, perSecond: 300, seconds: 10, rounds: 4 },
};

/** Fewer rounds, organizations, findings and events. A full run takes much longer. */
export const standardScale: Scale = {
  ...fullScale,
  organizations: 400,
  rounds: 3,
  roundSeconds: 1,
  populations: [10_000, 200_000],
  latencyRounds: 3,
  detectorRounds: 7,
  sites: 100,
  scanRounds: 2,
  scheduleSeconds: 15,
  events: { stored: 100_000, rounds: 2, costRounds: 2, pageRounds: 3 },
  junk: { ...fullScale.junk, rounds: 2 },
};

/** For the check of CPU per request, three to six minutes. */
export const checkScale: Scale = { ...fullScale, rounds: 5, roundSeconds: 1 };

/** A test run in a few minutes; its figures and aims are not meaningful. */
export const quickScale: Scale = {
  organizations: 300,
  findingsEach: 20,
  connections: 64,
  rounds: 1,
  roundSeconds: 0.5,
  verificationSeconds: 0.1,
  populations: [1_000, 5_000, 20_000],
  latencyRounds: 1,
  latencyRequests: 5,
  detectorRounds: 2,
  sites: 12,
  scanRounds: 1,
  sitesAway: 8,
  scheduleSeconds: 6,
  events: { stored: 50_000, rounds: 1, costRounds: 1, pageRounds: 1 },
  junk: { connections: 200, perSecond: 300, seconds: 3, rounds: 1 },
};
