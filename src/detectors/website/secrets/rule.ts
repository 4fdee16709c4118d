import type { Severity } from '../../../contract/severity.ts';
import type { Check } from '../../detector.ts';

/** What a rule needs to know besides the text. */
export interface Reading {
  /** When the text was read, in milliseconds since 1970; null if unknown. */
  readonly now: number | null;
}

/** Details of one match that differ from its rule. */
export interface Verdict {
  readonly name?: string;
  readonly severity?: Severity;
}

/** One kind of secret: its start, its format, and further conditions. */
export interface SecretRule {
  /** Canonical name, part of the locator. Never renamed. Several rules may have the same. */
  readonly kind: string;
  /** For people, with its article: `a Stripe secret key`. */
  readonly name: string;
  readonly check: Check;
  /** Overrides the check's severity. */
  readonly severity?: Severity;
  /** Literal text from which the pattern is tried, at least two characters. Searching for it first is fast. */
  readonly anchors: readonly string[];
  /** The anchors are in lowercase and found in any case. */
  readonly anyCase?: true;
  /** The anchor may be within a word. Otherwise no letter, digit, `_` or `-` may precede it. */
  readonly within?: true;
  /**
   * Sticky, from the anchor on, with bounded quantifiers. The text of its groups `random…` must appear random.
   */
  readonly pattern: RegExp;
  /** The notation that the pattern was made from, see `compileShape`. */
  readonly shape?: string;
  /** The word that names the service, for secrets that count only as its value. */
  readonly label?: string;
  /** @param match of the pattern, with its `input` and `index` */
  readonly accepts?: (match: RegExpExecArray, reading: Reading) => boolean | Verdict;
  /** The format alone says little: ordinary names may have it. */
  readonly ambiguous?: true;
  /** Another secret belongs to it, which may be next to it under any name. */
  readonly hasPartner?: true;
  /** `accepts` reads the text around the match, which costs more than the match itself. */
  readonly looksAround?: true;
}

/** The text before and after a match. */
export function around(match: RegExpExecArray, distance: number): string {
  return match.input.slice(Math.max(0, match.index - distance), match.index + match[0].length + distance);
}

/** For secrets that count only near a word that names their service. */
export function near(word: RegExp) {
  return {
    accepts: (match: RegExpExecArray) => word.test(around(match, 300)),
    looksAround: true as const,
  };
}

/** The same for formats that ordinary names may have. */
export function onlyNear(word: RegExp) {
  return { ...near(word), ambiguous: true as const };
}

/** The text around a match within the same string or line: up to `distance` characters on both sides, without `stops`. */
export function enclosing(
  { input, index, 0: matched }: RegExpExecArray,
  distance: number,
  stops: string,
): string {
  const end = index + matched.length;
  let from = index;
  while (from > 0 && index - from < distance && !stops.includes(input[from - 1]!)) from--;
  let to = end;
  while (to < input.length && to - end < distance && !stops.includes(input[to]!)) to++;
  return input.slice(from, to);
}
