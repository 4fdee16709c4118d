import type { Severity } from '../contract/severity.ts';

/** What is kept of a finding that reconciliation has to know. */
export interface StoredFinding {
  readonly id: string;
  readonly fingerprint: string;
  readonly category: string;
  readonly locator: string;
  /** The page or database in which it was observed last, where its check looks at one of several. */
  readonly subject: string | null;
  /** Whether the last run that assessed its check saw it. */
  readonly observed: boolean;
}

/** What a detector saw, worded for the finding that it leads to. */
export interface SeenFlaw {
  readonly fingerprint: string;
  /** Fingerprints that the same flaw had when its check had other ids. */
  readonly formerFingerprints: readonly string[];
  readonly category: string;
  readonly locator: string;
  /** The page or database in which it was seen, where its check looks at one of several. */
  readonly subject: string | null;
  readonly severity: Severity;
  readonly title: string;
  readonly remediation: string;
  /** One sentence, secrets masked. */
  readonly seen: string;
  readonly hipaa: boolean;
}

/** What a scan changes in the findings of one source. */
export interface FindingChanges {
  /** Seen for the first time. */
  readonly opened: readonly SeenFlaw[];
  /** Seen again after a run had not: a new episode of the same finding. */
  readonly reopened: readonly { readonly id: string; readonly flaw: SeenFlaw }[];
  /** Seen again. */
  readonly updated: readonly { readonly id: string; readonly flaw: SeenFlaw }[];
  /** Not seen by a run that did assess their check. */
  readonly resolved: readonly string[];
}

/** What became of one check on a source. */
export interface CheckOutcome {
  readonly check: string;
  readonly outcome: 'passed' | 'observed' | 'not_assessed' | 'not_applicable';
  /** One sentence, where it was not assessed or does not apply. */
  readonly reason: string | null;
}

/** What is known of a source when a scan of it ends. */
export interface KnownFindings {
  /** Those that the scan can change: the observed ones, and those that it has seen. */
  readonly stored: readonly StoredFinding[];
  /** How many are kept altogether. */
  readonly kept: number;
  /** Checks that a scan has assessed which began later. */
  readonly outdated: ReadonlySet<string>;
}

/** What a scan of a source changes. */
export interface ScanConclusions {
  readonly changes: FindingChanges;
  readonly outcomes: readonly CheckOutcome[];
}
