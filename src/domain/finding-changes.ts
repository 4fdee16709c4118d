import type { Severity } from '../contract/severity.ts';

/** The fields of a stored finding that reconciliation reads. */
export interface StoredFinding {
  readonly id: string;
  readonly fingerprint: string;
  readonly category: string;
  readonly locator: string;
  /** The page or database where it was last observed, for checks that assess one of several. */
  readonly subject: string | null;
  /** Whether the last run that assessed its check observed it. */
  readonly observed: boolean;
}

/** An observation with the texts of its finding. */
export interface ObservedFlaw {
  readonly fingerprint: string;
  /** Fingerprints with former IDs of its check. */
  readonly formerFingerprints: readonly string[];
  readonly category: string;
  readonly locator: string;
  /** The page or database where it was observed, for checks that assess one of several. */
  readonly subject: string | null;
  readonly severity: Severity;
  readonly title: string;
  readonly remediation: string;
  /** One sentence, secrets masked. */
  readonly seen: string;
  readonly hipaa: boolean;
}

/** Changes of a scan to the findings of one source. */
export interface FindingChanges {
  /** Observed for the first time. */
  readonly opened: readonly ObservedFlaw[];
  /** Observed again after it was resolved: a new episode of the same finding. */
  readonly reopened: readonly { readonly id: string; readonly flaw: ObservedFlaw }[];
  /** Still observed. */
  readonly updated: readonly { readonly id: string; readonly flaw: ObservedFlaw }[];
  /** Not observed, although the check was assessed. */
  readonly resolved: readonly string[];
}

/** Result of one check on a source. */
export interface CheckOutcome {
  readonly check: string;
  readonly outcome: 'passed' | 'observed' | 'not_assessed' | 'not_applicable';
  /** One sentence if it was not assessed or does not apply. */
  readonly reason: string | null;
}

/** Stored findings of a source when a scan ends. */
export interface KnownFindings {
  /** Findings that the scan can change: observed findings, and those that this scan observed. */
  readonly stored: readonly StoredFinding[];
  /** Number of all stored findings of the source; null if it does not count. */
  readonly kept: number | null;
  /** Checks with a result of a scan that started later. */
  readonly outdated: ReadonlySet<string>;
}

/** Outcome of a scan of one source. */
export interface ScanConclusions {
  readonly changes: FindingChanges;
  readonly outcomes: readonly CheckOutcome[];
}
