import { targetLimits } from '../captures/limits.ts';
import type { Severity } from '../contract/severity.ts';
import type { Check, Detection, NotAssessed, Observation } from './detector.ts';
import { beginningOf, withoutSecrets, withoutTokens } from './mask-secrets.ts';
import { printableRest } from './printable.ts';

const maxSeen = 500;
const maxReason = 300;

/**
 * Collects what a detector observes, in order, each place once. Parts of a locator may come from the target.
 */
export class DetectionBuilder {
  readonly #observations = new Map<string, Observation>();
  readonly #notAssessed = new Map<string, NotAssessed>();
  readonly #counts = new Map<string, number>();
  readonly #places = new Map<string, ReadonlySet<string>>();
  readonly #fully = new Set<string>();
  /** Checks with more places than are kept: none of them may count as passed. */
  readonly #cut = new Set<string>();

  /** @param seen one sentence without secrets, cut at 500 characters */
  observe(check: Check, locator: string, seen: string, severity?: Severity): void {
    const place = placeOf(locator);
    const key = `${check.id}\n${place}`;
    if (this.#observations.has(key)) return;
    const count = this.#counts.get(check.id) ?? 0;
    if (count >= targetLimits.observations) {
      this.#cut.add(check.id);
      this.cannotAssess(
        [check],
        `There are more than ${targetLimits.observations} places; the others are not reported.`,
      );
      return;
    }
    this.#counts.set(check.id, count + 1);
    this.#observations.set(key, {
      check: check.id,
      locator: place,
      seen: beginningOf(withoutTokens(seen), maxSeen)
        .replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')
        .toWellFormed(),
      ...(severity === undefined ? {} : { severity }),
    });
  }

  /** The checks assessed these places only, whether they fail there or not. `allAt` names many. */
  assessesOnly(checks: Check | readonly Check[], locators: Iterable<string>): void {
    const places = new Set([...locators].map(placeOf));
    for (const { id } of [checks].flat()) this.#places.set(id, places);
  }

  /** The checks also assessed everything that only full scans read: findings at places of theirs are resolved (`inFullScan`). */
  assessesFully(checks: readonly Check[]): void {
    for (const { id } of checks) this.#fully.add(id);
  }

  /** The check was not assessed, or not everywhere: its observations count, and nothing is resolved. */
  cannotAssess(checks: readonly Check[], reason: string): void {
    this.#leaveOut(checks, { reason });
  }

  /** The check assessed all places of its findings, but may fail elsewhere: it resolves, but does not pass. */
  cannotPass(checks: readonly Check[], reason: string): void {
    this.#leaveOut(checks, { reason, resolves: true });
  }

  /** The checks do not apply to this source. Like one that was not assessed, such a check resolves nothing. */
  doesNotApply(checks: readonly Check[], reason: string): void {
    this.#leaveOut(checks, { reason, inapplicable: true });
  }

  #leaveOut(checks: readonly Check[], given: Omit<NotAssessed, 'check'>): void {
    const why = { ...given, reason: beginningOf(withoutTokens(given.reason), maxReason) };
    for (const { id } of checks) {
      // A reason that resolves nothing takes precedence.
      if (!this.#notAssessed.has(id) || this.#notAssessed.get(id)!.resolves)
        this.#notAssessed.set(id, { check: id, ...why });
    }
  }

  result(): Detection {
    return {
      observations: [...this.#observations.values()],
      notAssessed: [...this.#notAssessed.values()],
      places: new Map([...this.#places].filter(([check]) => !this.#cut.has(check))),
      ...(this.#fully.size === 0 ? {} : { fully: [...this.#fully] }),
    };
  }
}

/** A locator as it is stored: paths and names of a target may contain tokens. */
const placeOf = (locator: string) => printableRest(withoutTokens(locator));

/** Makes a detector's `detect` from a function that fills a new `DetectionBuilder`. */
export const detecting =
  <Capture>(detect: (found: DetectionBuilder, capture: Capture) => void) =>
  (capture: Capture) => {
    const found = new DetectionBuilder();
    detect(found, capture);
    return found.result();
  };

/** Text from a target that is safe to quote: without secrets, one line, printable, short. */
export function quoted(text: string, length = 120): string {
  // Before anything else: a part of a secret, or one in lowercase, is not recognized later.
  const printable = withoutSecrets(text)
    .replace(/[^\x20-\x7e]+/g, ' ')
    .trim();
  return printable.length > length ? `"${printable.slice(0, length)}…"` : `"${printable}"`;
}
