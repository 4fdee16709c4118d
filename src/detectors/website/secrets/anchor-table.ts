/** A hash of three characters in 15 bits. Letters of both cases have the same. */
const hashBits = 5;
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
  readonly #entries: Entry<T>[][] = [];

  /** @param anchor at least two characters; in lowercase if it is found in any case */
  add(anchor: string, value: T, anyCase = false): void {
    const pair = hash(anchor.charCodeAt(0), anchor.charCodeAt(1));
    if (anchor.length > 2) {
      this.#addAt(next(pair, anchor.charCodeAt(2)), anchor, value, anyCase);
      return;
    }
    for (let third = 0; third <= characterMask; third++)
      this.#addAt(next(pair, third), anchor, value, anyCase);
  }

  #addAt(slot: number, anchor: string, value: T, anyCase: boolean): void {
    this.#mayStart[slot] = 1;
    const entries = this.#entries[slot] ?? [];
    this.#entries[slot] = entries;
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
      const to = this.#visitAt(text, at, this.#entries[slot]!, visit);
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
    for (const { anchor, anyCase, values } of entries) {
      const isHere = anyCase
        ? text.slice(at, at + anchor.length).toLowerCase() === anchor
        : text.startsWith(anchor, at);
      const to = isHere ? visit(at, values) : null;
      if (to !== null) return to;
    }
    return null;
  }
}

const hash = (first: number, second: number) =>
  ((first & characterMask) << hashBits) | (second & characterMask);

const next = (slot: number, code: number) => ((slot << hashBits) | (code & characterMask)) & hashMask;
