import type { OwnSurface } from '../contract/dashboard/own-checks.ts';
import type { Severity } from '../contract/severity.ts';
import type { SafeguardMapping } from '../domain/safeguards.ts';
import type { Fix } from './remediation/step.ts';

/** The kind of target. Its surface collects the capture that its detectors read. */
export type TargetSurface = 'website' | 'postgres' | 'mysql' | 'redis' | 'supabase';

/** What is assessed: a target, or what probes and firewalls of a source report, which the service knows itself. */
export type Surface = TargetSurface | OwnSurface;

/** One rule. Its `id` is the `category` of its findings. */
export interface Check {
  /**
   * Dotted identifier, family first: `tls.certificate_expired`. Never reused; a renamed check lists it in
   * `formerIds`.
   */
  readonly id: string;
  /** The problem in a few words: the finding's title. */
  readonly title: string;
  /** The usual severity; an observation may have another, with the reason in its text. */
  readonly severity: Severity;
  /** Why it matters, in one sentence. */
  readonly why: string;
  /** How to fix it, concretely. */
  readonly fix: Fix;
  /** RFCs, standards and vendor documentation. */
  readonly references: readonly string[];
  /**
   * Safeguards of 45 CFR Part 164 that this check affects, each with the reason. Empty if none applies. A
   * check with severity info has none: its findings lower no control.
   */
  readonly safeguards: readonly SafeguardMapping[];
  /** Its locators contain a URL or a table's name, and scans request those of its open findings again. */
  readonly revisited?: true;
  /** Former ids of this check: findings under them are kept, with their history. */
  readonly formerIds?: readonly string[];
}

/** One place where a check failed. */
export interface Observation {
  readonly check: string;
  /**
   * The place, in a canonical form without volatile detail (no times, counts or values): the same problem has
   * the same locator in every scan. Part of the finding's fingerprint.
   */
  readonly locator: string;
  /** The evidence in one sentence, with every secret masked. At most 500 characters. */
  readonly seen: string;
  /** Overrides the check's severity. */
  readonly severity?: Severity;
}

/** A check that was not assessed: it neither passes nor resolves a finding. */
export interface NotAssessed {
  readonly check: string;
  /** The reason, in one sentence. */
  readonly reason: string;
  /** The check does not apply to this source, such as TLS to a plain HTTP source. */
  readonly inapplicable?: true;
  /**
   * The check assessed all places of its findings, so those it no longer observes are resolved. It cannot
   * pass because of other places, which no scan reads.
   */
  readonly resolves?: true;
}

/** Every check of the detector that is not in `notAssessed` has been assessed. */
export interface Detection {
  readonly observations: readonly Observation[];
  readonly notAssessed: readonly NotAssessed[];
  /**
   * The locators that each check of certain places assessed. Findings elsewhere are not resolved, because
   * another scan may cover more places.
   */
  readonly places?: ReadonlyMap<string, ReadonlySet<string>>;
  /** Checks that also assessed all that only full scans read, where they do not list their places. */
  readonly fully?: readonly string[];
}

/**
 * The page or database that a detector assessed, if a source may lead to several. At most 2,048 characters
 * each.
 */
export interface Subject {
  readonly at: string;
  /** All pages or databases that the result covers: `at`, and those that no longer exist. At most 16. */
  readonly covers: readonly string[];
}

/** A pure function from a capture to observations, with its checks. */
export interface Detector<Capture> {
  /** Stable name, shown as a run's `detector`: `website.tls`. */
  readonly name: string;
  readonly surface: Surface;
  readonly checks: readonly Check[];
  /** It runs in full scans only, because only these collect what it reads. */
  readonly depth?: 'full';
  /**
   * It reads only details that an account for scans may not see. A run without them succeeds in part, like those of other detectors
   * that lack a privilege, and leaves the scan's verdict to what was assessed.
   */
  readonly readsDetailsOnly?: true;
  /** The optional parts of the capture that it reads. Default: all. */
  readonly reads?: readonly (keyof Capture & string)[];
  /**
   * Checks that assess one page or database, which may differ in the next scan: findings elsewhere are not
   * resolved.
   */
  readonly perSubject?: {
    readonly checks: readonly Check[];
    /** Null if none was assessed. */
    subjectOf(capture: Capture): Subject | null;
  };
  /** Ids of removed checks: the next run resolves their open findings. */
  readonly retiredIds?: readonly string[];
  /** Reads the capture only: no network, no clock, no database. */
  detect(capture: Capture): Detection;
}
