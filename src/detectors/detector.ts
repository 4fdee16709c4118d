import type { Severity } from '../contract/severity.ts';
import type { SafeguardMapping } from '../domain/safeguards.ts';
import type { Fix } from './remediation/step.ts';

/** What is inspected. One surface collects the capture that its detectors read. */
export type Surface = 'website' | 'postgres' | 'mysql' | 'supabase';

/** One thing that can be wrong. Its `id` is the `category` of every finding that it leads to. */
export interface Check {
  /** Dotted identifier, family first: `tls.certificate_expired`. Never reused, never renamed in place. */
  readonly id: string;
  /** What is wrong, in a few words, as a finding's headline. */
  readonly title: string;
  /** The usual severity; an observation may name another with a reason in its text. */
  readonly severity: Severity;
  /** Why it matters, in one sentence. */
  readonly why: string;
  /** What to change, concretely. */
  readonly fix: Fix;
  /** Where to read more: RFCs, standards, vendors' documentation. */
  readonly references: readonly string[];
  /**
   * Safeguards of 45 CFR Part 164 that this check says something about, each with the reason. Empty where none applies. A check
   * whose severity is info has none: its findings lower no control.
   */
  readonly safeguards: readonly SafeguardMapping[];
  /** Its locators have a URL or the name of a table, and scans request those of its open findings again. */
  readonly revisited?: true;
  /** Ids that this check had before: findings made under them are carried along, with their history. */
  readonly formerIds?: readonly string[];
}

/** One place where a check failed. */
export interface Observation {
  readonly check: string;
  /**
   * Where, canonical and free of volatile detail (no times, counts or values): the same flaw gives the same
   * locator in every scan. It is part of the finding's fingerprint.
   */
  readonly locator: string;
  /** What was seen, one sentence, every secret masked. At most 500 characters. */
  readonly seen: string;
  /** Overrides the check's severity. */
  readonly severity?: Severity;
}

/** A check that was not assessed: it neither passes nor resolves a finding. */
export interface NotAssessed {
  readonly check: string;
  /** One sentence: what was missing. */
  readonly reason: string;
  /** The check does not apply to this source, such as TLS where it names plain HTTP. */
  readonly inapplicable?: true;
  /**
   * Whatever the check observed before was in what it has read again now: what is not observed any more is resolved. Something else,
   * which a scan never reads, keeps the check from passing.
   */
  readonly resolves?: true;
}

/** Every check of the detector that is not in `notAssessed` has been assessed. */
export interface Detection {
  readonly observations: readonly Observation[];
  readonly notAssessed: readonly NotAssessed[];
  /**
   * By check that assesses certain places only: the locators that it assessed. A finding elsewhere is not resolved: another scan may
   * cover more places.
   */
  readonly places?: ReadonlyMap<string, ReadonlySet<string>>;
}

/** The page or database that a detector assessed, where a source may lead to several. At most 2,048 characters each. */
export interface Subject {
  readonly at: string;
  /** All of which they say something: `at`, and what shows nothing any more. At most 16. */
  readonly covers: readonly string[];
}

/** A pure function from a capture to observations, and what it can find. */
export interface Detector<Capture> {
  /** Stable name, shown as a run's `detector`: `website.tls`. */
  readonly name: string;
  readonly surface: Surface;
  readonly checks: readonly Check[];
  /** It runs in full scans only: what it reads is collected there and nowhere else. */
  readonly depth?: 'full';
  /** The parts of the capture that it reads, besides what is always there; all of it when not given. */
  readonly reads?: readonly (keyof Capture & string)[];
  /** Checks that assess one page or database, which may be another in the next scan: findings elsewhere are not resolved. */
  readonly perSubject?: {
    readonly checks: readonly Check[];
    /** Null where none was assessed. */
    subjectOf(capture: Capture): Subject | null;
  };
  /** Ids of checks that exist no more: what is still open of them is resolved by the next run. */
  readonly retiredIds?: readonly string[];
  /** Reads the capture only: no network, no clock, no database. */
  detect(capture: Capture): Detection;
}
