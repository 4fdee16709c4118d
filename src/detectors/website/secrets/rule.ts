import type { Severity } from '../../../contract/severity.ts';
import type { Check } from '../../detector.ts';

/** One kind of secret: its start, its format, and further conditions. */
export interface SecretRule {
  /** Canonical name, part of the locator. Never renamed. */
  readonly kind: string;
  /** For people, with its article: `a Stripe secret key`. */
  readonly name: string;
  readonly check: Check;
  /** Overrides the check's severity. */
  readonly severity?: Severity;
  /** Literal text from which the pattern is tried. Searching for it first is fast. */
  readonly anchors: readonly string[];
  /** The anchor may be within a word. Otherwise no letter, digit, `_` or `-` may precede it. */
  readonly within?: true;
  /**
   * Sticky, from the anchor on, with bounded quantifiers. The text of its group `random` must appear random.
   */
  readonly pattern: RegExp;
  /** @param match of the pattern, with its `input` and `index` */
  readonly accepts?: (match: RegExpExecArray) => boolean;
  /** `accepts` reads the text around the match, which costs more than the match itself. */
  readonly looksAround?: true;
}

/** The text before and after a match. */
export function around(match: RegExpExecArray, distance: number): string {
  return match.input.slice(Math.max(0, match.index - distance), match.index + match[0].length + distance);
}

/** Shorthand for a rule. @param anchors one literal text, or several */
export function rule(
  check: Check,
  kind: string,
  name: string,
  anchors: string | readonly string[],
  pattern: RegExp,
  more: Pick<SecretRule, 'accepts' | 'looksAround' | 'within' | 'severity'> = {},
): SecretRule {
  return { check, kind, name, anchors: [anchors].flat(), pattern, ...more };
}

/** For secrets that count only near a word that names their service. */
export function near(word: RegExp) {
  return {
    accepts: (match: RegExpExecArray) => word.test(around(match, 300)),
    looksAround: true as const,
  };
}
