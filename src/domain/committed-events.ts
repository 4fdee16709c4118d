import type { RunStatus, Scan, Verdict } from '../contract/scans.ts';

interface OfScan {
  readonly scan_id: string;
  readonly profile: Scan['profile'];
  readonly system_id: string | null;
  readonly source_id: string | null;
}

/** A scan waits for a worker. */
interface ScanQueued extends OfScan {
  readonly event: 'scan.queued';
}

/** Its runs are planned. A scan of what a probe or Shield reports is not queued before. */
interface ScanStarted {
  readonly event: 'scan.started';
  readonly scan_id: string;
  readonly runs: number;
}

interface ScanEnded extends OfScan {
  readonly event: 'scan.ended';
  readonly status: 'completed' | 'failed' | 'canceled';
  readonly verdict: Verdict;
  readonly runs: number;
  readonly succeeded: number;
  /** Of the runs that failed or were skipped; none of a scan that was canceled while it was queued. */
  readonly causes: readonly string[];
  /** From its request to its start, and from then to its end. */
  readonly waited_seconds: number;
  readonly seconds: number;
}

/** Runs of one scan that ended together. They are counted, and the line of their scan has the causes. */
interface RunsEnded {
  readonly event: 'runs.ended';
  readonly runs: readonly {
    readonly detector: string;
    readonly status: RunStatus;
    readonly cause?: string | null | undefined;
  }[];
}

/** What a transaction did that is reported once it has committed: counted, and logged. */
export type CommittedEvent = ScanQueued | ScanStarted | ScanEnded | RunsEnded;

/** Where it happened. For the log only. */
interface CommittedBy {
  readonly organization_id: string;
  /** Of the request that did it. */
  readonly request_id?: string;
}

export type OnCommitted = (event: CommittedEvent, by: CommittedBy) => void;
