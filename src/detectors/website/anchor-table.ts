/** A hash of three characters in 18 bits. */
const hashBits = 6;
const hashMask = (1 << (3 * hashBits)) - 1;
const characterMask = (1 << hashBits) - 1;

interface Entry<T> {
  readonly anchor: string;
  readonly anyCase: boolean;
  readonly values: T[];
}

/**
 * Finds many literal texts in one pass over a text. One table lookup per character decides whether any text may start there,
 * so that the time does not depend on how many are searched for.
 */
export class AnchorTable<T> {
  readonly #mayStart = new Uint8Array(hashMask + 1);
  /** By slot: where its entries are. */
  readonly #at = new Uint16Array(hashMask + 1);
  /** Without gaps, so that reading one is fast. */
  readonly #entries: Entry<T>[][] = [];

  /** @param anchor at least two characters; in lowercase if it is found in any case */
  add(anchor: string, value: T, anyCase = false): void {
    const starts = anyCase ? inAnyCase(anchor.slice(0, 3)) : [anchor];
    for (const start of starts) {
      const pair = hash(start.charCodeAt(0), start.charCodeAt(1));
      // After two characters, any third may follow.
      const thirds =
        anchor.length > 2
          ? [start.charCodeAt(2)]
          : Array.from({ length: characterMask + 1 }, (_, third) => third);
      for (const third of thirds) this.#addAt(next(pair, third), anchor, value, anyCase);
    }
  }

  #addAt(slot: number, anchor: string, value: T, anyCase: boolean): void {
    if (this.#mayStart[slot] === 0) {
      this.#mayStart[slot] = 1;
      this.#at[slot] = this.#entries.push([]) - 1;
    }
    const entries = this.#entries[this.#at[slot]!]!;
    const known = entries.find(entry => entry.anchor === anchor && entry.anyCase === anyCase);
    if (known === undefined) entries.push({ anchor, anyCase, values: [value] });
    else known.values.push(value);
    entries.sort((a, b) => b.anchor.length - a.anchor.length);
  }

  /**
   * Calls `visit` at each position where anchors start, with the values of the longest first.
   *
   * @param visit returns the position to continue from, or null to try a shorter anchor and then go on
   */
  search(text: string, visit: (at: number, values: readonly T[]) => number | null): void {
    const mayStart = this.#mayStart;
    const { length } = text;
    // A last anchor of two characters is completed with zeros.
    let slot = hash(text.charCodeAt(0), text.charCodeAt(1)) & hashMask;
    for (let at = 0; at < length - 1; at++) {
      slot = next(slot, at + 2 < length ? text.charCodeAt(at + 2) : 0);
      if (mayStart[slot] === 0) continue;
      const to = this.#visitAt(text, at, this.#entries[this.#at[slot]!]!, visit);
      if (to === null || to <= at + 1) continue;
      at = to - 1;
      slot = hash(text.charCodeAt(to), text.charCodeAt(to + 1));
    }
  }

  #visitAt(
    text: string,
    at: number,
    entries: readonly Entry<T>[],
    visit: (at: number, values: readonly T[]) => number | null,
  ): number | null {
    for (const entry of entries) {
      const to = isAt(text, at, entry) ? visit(at, entry.values) : null;
      if (to !== null) return to;
    }
    return null;
  }
}

/** Most candidates differ in the first characters, so that comparing them one by one is faster than a part of the text. */
function isAt(text: string, at: number, { anchor, anyCase }: Entry<unknown>): boolean {
  for (let place = 0; place < anchor.length; place++) {
    const code = text.charCodeAt(at + place);
    const wanted = anchor.charCodeAt(place);
    const isSame = code === wanted || (anyCase && code >= 0x41 && code <= 0x5a && code + 0x20 === wanted);
    if (!isSame) return false;
  }
  return true;
}

/** A short text in all combinations of upper and lower case. */
const inAnyCase = (text: string): string[] =>
  [...text].reduce<string[]>(
    (starts, letter) =>
      [...new Set([letter.toLowerCase(), letter.toUpperCase()])].flatMap(one =>
        starts.map(start => start + one),
      ),
    [''],
  );

const hash = (first: number, second: number) =>
  ((first & characterMask) << hashBits) | (second & characterMask);

const next = (slot: number, code: number) => ((slot << hashBits) | (code & characterMask)) & hashMask;
