import type { Severity } from '../contract/severity.ts';

/** An object with its name. */
export interface Named {
  readonly id: string;
  readonly name: string;
}

export interface FindingFact {
  readonly id: string;
  readonly severity: Severity;
  readonly title: string;
  readonly category: string;
  readonly locator: string;
  /** The name of its source, where findings of several are listed together. */
  readonly source?: string;
}

/** Findings that belong together. */
export interface FindingList {
  /** Filters of the list with these findings. */
  readonly query: Readonly<Record<string, string>>;
  readonly total: number;
  /** Most severe first; the others are counted. */
  readonly listed: readonly FindingFact[];
}

/** Findings of a source or a saved view. */
export interface FindingGroup extends Named, FindingList {
  /** Of a source. */
  readonly system?: string;
}

/** What happened besides new findings. Times are of the database. */
export type EventFact =
  | {
      readonly kind: 'mentioned';
      readonly author: string;
      readonly finding: { readonly id: string; readonly title: string };
      readonly excerpt: string;
    }
  | {
      readonly kind: 'scan_failed';
      readonly scan: string;
      readonly target: string;
      readonly cause: string | null;
    }
  | { readonly kind: 'source_failing'; readonly source: Named }
  | { readonly kind: 'agent_silent'; readonly probe: Named; readonly lastSeenAt: string | null }
  | { readonly kind: 'key_expiring'; readonly key: Named; readonly expiresAt: string }
  | { readonly kind: 'attestation_ending'; readonly control: string; readonly validUntil: string }
  | { readonly kind: 'backup_old'; readonly lastAt: string | null };

/** What an alert says. Empty if nothing of it is still so. */
export interface AlertFacts {
  readonly sources: readonly FindingGroup[];
  readonly views: readonly FindingGroup[];
  /** Findings that someone else made the reader’s. */
  readonly assigned: FindingList | null;
  /** Findings that have become overdue: those of the reader, and those without an owner. */
  readonly overdue: FindingList | null;
  readonly events: readonly EventFact[];
  /** New findings by severity, each once, also those that are not listed. */
  readonly counts: Readonly<Partial<Record<Severity, number>>>;
}

/** What changed in an organization from one moment to another, and how it is now. */
export interface DigestFacts {
  readonly from: string;
  readonly until: string;
  readonly score: number | null;
  /** Of the last day before the period; null without one. */
  readonly scoreBefore: number | null;
  readonly open: Readonly<Record<Severity, number>>;
  readonly opened: number;
  readonly reopened: number;
  readonly resolved: number;
  readonly accepted: number;
  /** Open findings past their due date; of a person, those of their own are counted as well. */
  readonly overdue: number;
  readonly mineOverdue: number | null;
  /** Findings that opened or reopened and are open now. */
  readonly newest: readonly FindingFact[];
  readonly fixed: readonly FindingFact[];
  readonly fixFirst: readonly {
    readonly check: string;
    readonly title: string;
    readonly severity: Severity;
    readonly count: number;
  }[];
  /** Sources that cannot be scanned, or have never been. */
  readonly failing: readonly Named[];
  readonly notScanned: number;
}
