import type { Queue } from 'pg-boss';

export const jobSchema = 'pgboss';

/** Jobs contain ids only; handlers read the rest within the tenant's store. */
export interface ScanJob {
  readonly organizationId: string;
  readonly scanId: string;
  /** The request or job that sent it, for traces. */
  readonly trace?: string;
}

export interface InspectJob extends ScanJob {
  readonly sourceId: string;
}

/** The payload of each queue's jobs. */
export interface Jobs {
  /** Creates the runs of a scan. */
  'scan-plan': ScanJob;
  /** Captures one source and runs its detectors. */
  'scan-inspect': InspectJob;
  /** The same for a full scan, which takes minutes instead of seconds. */
  'scan-inspect-full': InspectJob;
  /** A job of another queue that failed on every try: its scan must still end. */
  'scan-abandoned': ScanJob & { readonly sourceId?: string };
}

export type QueueName = keyof Jobs;

const ends = {
  // Nothing reads a job that has ended: its scan has the result, and the log the error. pg-boss counts the rows of its table every two
  // seconds, so that a week of them, as it keeps by itself, would take it more than a core with 20,000 hourly sources.
  deleteAfterSeconds: 600,
  // A job that waits is not deleted, however long no worker runs: its scan would never end, and no Watch would scan its source again.
  retentionSeconds: 10 * 365 * 86_400,
} as const;

const retried = {
  ...ends,
  // Workers are also replaced and killed without fault of the job.
  retryLimit: 5,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 8,
  heartbeatSeconds: 10,
  deadLetter: 'scan-abandoned',
} as const;

/**
 * A dead worker's heartbeat stops, and its job is retried after 10 seconds. A job that failed on every try
 * becomes one of `scan-abandoned`, so that no scan is stuck.
 */
export const queues: (Queue & { name: QueueName })[] = [
  {
    ...ends,
    name: 'scan-abandoned',
    retryLimit: 20,
    retryDelay: 5,
    expireInSeconds: 60,
    heartbeatSeconds: 10,
  },
  { ...retried, name: 'scan-plan', expireInSeconds: 60 },
  // Waiting for a host and a place, and the time limit of a safe scan twice: one that shared its process may run again alone.
  { ...retried, name: 'scan-inspect', expireInSeconds: 300 },
  // The time limit of a full scan.
  { ...retried, name: 'scan-inspect-full', expireInSeconds: 420 },
];
