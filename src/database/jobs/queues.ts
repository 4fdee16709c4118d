import type { Queue } from 'pg-boss';

export const jobSchema = 'pgboss';

/** A job carries ids only: what it is about is read, tenant-bound, when it runs. */
export interface ScanJob {
  readonly organizationId: string;
  readonly scanId: string;
}

export interface InspectJob extends ScanJob {
  readonly sourceId: string;
}

/** What each queue's jobs carry. */
export interface Jobs {
  /** Turns a requested scan into runs. */
  'scan-plan': ScanJob;
  /** Captures one source and runs its detectors. */
  'scan-inspect': InspectJob;
  /** The same for a full scan, which takes minutes where a safe one takes seconds. */
  'scan-inspect-full': InspectJob;
  /** A job of the others that was given up: its scan must still end. */
  'scan-abandoned': ScanJob & { readonly sourceId?: string };
}

export type QueueName = keyof Jobs;

const retried = {
  notify: true,
  retryLimit: 3,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 8,
  heartbeatSeconds: 10,
  deadLetter: 'scan-abandoned',
} as const;

/**
 * A worker that dies stops its heartbeat: after 10 seconds its job goes to another. A job that has failed on every try
 * becomes one of `scan-abandoned`, so that no scan is stuck.
 */
export const queues: (Queue & { name: QueueName })[] = [
  {
    name: 'scan-abandoned',
    notify: true,
    retryLimit: 20,
    retryDelay: 5,
    expireInSeconds: 60,
    heartbeatSeconds: 10,
  },
  { ...retried, name: 'scan-plan', expireInSeconds: 60 },
  // The longest that a scan may take, safe and full, and something to spare.
  { ...retried, name: 'scan-inspect', expireInSeconds: 180 },
  { ...retried, name: 'scan-inspect-full', expireInSeconds: 420 },
];
