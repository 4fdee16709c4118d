/** A hash of three characters in 18 bits. */
const hashBits = 6;
const hashMask = (1 << (3 * hashBits)) - 1;
const characters = 1 << hashBits;
const characterMask = characters - 1;
const everyCode = Array.from({ length: characters }, (_, code) => code);

interface Entry {
  readonly table: AnchorTable<unknown>;
  readonly anchor: string;
  readonly anyCase: boolean;
  readonly values: unknown[];
}

interface Hit {
  readonly at: number;
  readonly entry: Entry;
}

/** By slot: the index of its entries plus one; 0 if it has none. */
const slots = new Uint16Array(hashMask + 1);
const entriesOfSlots: Entry[][] = [];
/** By the index of entries and a fourth character: 1 if it may follow. Most candidates fail here. */
let mayFollow = new Uint8Array(0);

/** Characters of texts whose hits are kept, and hits: those of a large page. */
const mostCharacters = 8_000_000;
const mostHits = 200_000;

/** The hits in the last texts. */
const known = new Map<string, readonly Hit[]>();
let keptCharacters = 0;
let keptHits = 0;

/**
 * Finds many literal texts in one pass over a text. Two table lookups decide whether any text may start at a character, so that the
 * time does not depend on how many are searched for. What all tables search for is found in the same pass, because several detectors
 * search the same scripts.
 */
export class AnchorTable<T> {
  /** @param anchor at least two characters; in lowercase if it is found in any case */
  add(anchor: string, value: T, anyCase = false): void {
    forget();
    for (const start of anyCase ? inAnyCase(anchor.slice(0, 4)) : [anchor]) {
      const pair = hash(start.charCodeAt(0), start.charCodeAt(1));
      for (const third of start.length < 3 ? everyCode : [start.charCodeAt(2)]) {
        const index = indexOf(next(pair, third));
        const first = index * characters;
        if (start.length < 4) mayFollow.fill(1, first, first + characters);
        else mayFollow[first + (start.charCodeAt(3) & characterMask)] = 1;
        this.#addTo(entriesOfSlots[index]!, anchor, value, anyCase);
      }
    }
  }

  #addTo(entries: Entry[], anchor: string, value: T, anyCase: boolean): void {
    const entry = entries.find(
      entry => entry.anchor === anchor && entry.table === this && entry.anyCase === anyCase,
    );
    if (entry === undefined) {
      entries.push({ table: this, anchor, anyCase, values: [value] });
      entries.sort((a, b) => b.anchor.length - a.anchor.length);
    } else if (!entry.values.includes(value)) entry.values.push(value);
  }

  /**
   * Calls `visit` at each position where anchors start, with the values of the longest first.
   *
   * @param visit returns the position to continue from, or null to try a shorter anchor and then go on
   */
  search(text: string, visit: (at: number, values: readonly T[]) => number | null): void {
    let from = 0;
    eachHit(text, ({ at, entry }) => {
      if (entry.table !== this || at < from) return;
      const to = visit(at, entry.values as T[]);
      if (to !== null) from = Math.max(to, at + 1);
    });
  }
}

/** The hits in a text, in order of position, the longest first. */
function eachHit(text: string, visit: (hit: Hit) => void): void {
  const before = known.get(text);
  if (before !== undefined) {
    for (const hit of before) visit(hit);
    return;
  }
  const hits: Hit[] = [];
  findHits(text, hit => {
    if (hits.length <= mostHits) hits.push(hit);
    visit(hit);
  });
  if (hits.length <= mostHits && text.length <= mostCharacters) keep(text, hits);
}

function keep(text: string, hits: readonly Hit[]): void {
  if (keptCharacters + text.length > mostCharacters || keptHits + hits.length > mostHits) forget();
  known.set(text, hits);
  keptCharacters += text.length;
  keptHits += hits.length;
}

function forget(): void {
  known.clear();
  keptCharacters = 0;
  keptHits = 0;
}

function findHits(text: string, visit: (hit: Hit) => void): void {
  // The low bytes of the codes, which are faster to read. Zeros follow.
  const bytes = Buffer.alloc(text.length + 3);
  bytes.write(text, 'latin1');
  let slot = hash(bytes[0]!, bytes[1]!);
  for (let at = 0; at < text.length - 1; at++) {
    slot = next(slot, bytes[at + 2]!);
    const index = slots[slot]! - 1;
    if (index === -1 || mayFollow[index * characters + (bytes[at + 3]! & characterMask)] === 0) continue;
    for (const entry of entriesOfSlots[index]!) if (isAt(text, at, entry)) visit({ at, entry });
  }
}

/** Most candidates differ in the first characters, so that comparing them one by one is faster than a part of the text. */
function isAt(text: string, at: number, { anchor, anyCase }: Entry): boolean {
  for (let place = 0; place < anchor.length; place++) {
    const code = text.charCodeAt(at + place);
    const wanted = anchor.charCodeAt(place);
    const isSame = code === wanted || (anyCase && code >= 0x41 && code <= 0x5a && code + 0x20 === wanted);
    if (!isSame) return false;
  }
  return true;
}

function indexOf(slot: number): number {
  if (slots[slot] === 0) {
    slots[slot] = entriesOfSlots.push([]);
    if (mayFollow.length < entriesOfSlots.length * characters) {
      const longer = new Uint8Array(2 * entriesOfSlots.length * characters);
      longer.set(mayFollow);
      mayFollow = longer;
    }
  }
  return slots[slot]! - 1;
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
