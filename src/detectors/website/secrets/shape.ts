import type { SecretRule } from './rule.ts';

/**
 * A short notation for formats of secrets. Text stands for itself, `(live|test)` for one of several texts, and `{…}` for random
 * characters: `{32 hex}`, `{20-60 b64u}`, `{uuid}`. For example: `shippo_(live|test)_{40 hex}`.
 */
export const characterSets = {
  digit: '\\d',
  hex: '\\da-f',
  Hex: '\\da-fA-F',
  HEX: '\\dA-F',
  lower: '\\da-z',
  upper: '\\dA-Z',
  alpha: 'A-Za-z',
  b32: 'A-Z2-7',
  base32: 'a-z2-7',
  b58: '1-9A-HJ-NP-Za-km-z',
  bech32: 'ac-hj-np-z02-9',
  b62: '\\dA-Za-z',
  word: '\\w',
  b64: '\\w+/=-',
  b64u: '\\w-',
  dotted: '\\w.-',
  token: '\\w.+/=~-',
  encoded: '\\w.%-',
} as const;

export type CharacterSet = keyof typeof characterSets;

interface Characters {
  readonly set: CharacterSet;
  readonly least: number;
  readonly most: number;
}

type Part = { readonly text: string } | { readonly texts: readonly string[] } | Characters;

const uuidParts: readonly Part[] = [8, 4, 4, 4, 12].flatMap((count, at) => [
  ...(at > 0 ? [{ text: '-' }] : []),
  { set: 'Hex' as const, least: count, most: count },
]);

/** The parts of a notation, in order. */
export function partsOf(shape: string): readonly Part[] {
  return [...shape.matchAll(/\{uuid\}|\{(\d+)(?:-(\d+))? (\w+)\}|\(([^()]+)\)|[^{(]+/g)].flatMap(
    ([all, least, most, set, texts]): readonly Part[] => {
      if (all === '{uuid}') return uuidParts;
      if (set !== undefined) {
        if (!Object.hasOwn(characterSets, set)) throw new Error(`Unknown characters: ${shape}`);
        return [{ set: set as CharacterSet, least: Number(least), most: Number(most ?? least) }];
      }
      return texts === undefined ? [{ text: all }] : [{ texts: texts.split('|') }];
    },
  );
}

const quote = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** Ends a format where its characters do, so that a part of something longer does not count. */
function notOf(set: CharacterSet, direction: '!' | '<!'): string {
  const more = /^b64$|token/.test(set) ? '+/-' : /b64u|dotted|encoded/.test(set) ? '-' : '';
  return `(?${direction}[\\w${more}])`;
}

/** Shorter parts say little about randomness, and so do numbers, such as IDs and times. */
const isRandom = ({ set, least }: Characters) => least >= 8 && set !== 'digit';

/** @param firstGroup number of the first group of random characters; null for none */
export function patternOf(parts: readonly Part[], firstGroup: number | null): string {
  let group = firstGroup ?? 0;
  return parts
    .map(part => {
      if ('text' in part) return quote(part.text);
      if ('texts' in part) return `(?:${part.texts.map(quote).join('|')})`;
      const count = part.least === part.most ? `${part.least}` : `${part.least},${part.most}`;
      const pattern = `[${characterSets[part.set]}]{${count}}`;
      return firstGroup === null || !isRandom(part) ? pattern : `(?<random${group++}>${pattern})`;
    })
    .join('');
}

/** The parts of a rule that follow from a notation. What it starts with is the anchor, otherwise the longest text in it. */
export function compileShape(shape: string): Pick<SecretRule, 'anchors' | 'pattern' | 'shape' | 'within'> {
  const parts = partsOf(shape);
  const lengthOf = (part: Part) => ('text' in part ? part.text.length : 'texts' in part ? 2 : 0);
  const longest = Math.max(...parts.map(lengthOf));
  const at = lengthOf(parts[0]!) >= 2 ? 0 : parts.findIndex(part => lengthOf(part) === longest);
  const anchor = parts[at];
  if (anchor === undefined || 'set' in anchor) throw new Error(`No text to search for: ${shape}`);
  const last = parts.findLast(part => 'set' in part);
  const end = last !== undefined && 'set' in last ? notOf(last.set, '!') : '';
  const hasRandom = parts.some(part => 'set' in part && isRandom(part));
  const rest = hasRandom
    ? patternOf(parts.slice(at), at)
    : `${patternOf(parts.slice(at, at + 1), null)}(?<random>${patternOf(parts.slice(at + 1), null)})`;
  const first = parts[0];
  const before =
    first !== undefined && 'set' in first
      ? `(?<=${notOf(first.set, '<!')}${patternOf(parts.slice(0, at), 0)})`
      : '';
  return {
    shape,
    anchors: 'text' in anchor ? [anchor.text] : anchor.texts,
    pattern: new RegExp(before + rest + end, 'y'),
    ...(before === '' ? {} : { within: true }),
  };
}

/** A kind, its name with an article, the notations of its format, and what else differs from the others of its group. */
type Provider = readonly [
  kind: string,
  name: string,
  shapes: string | readonly string[],
  more?: Pick<SecretRule, 'accepts' | 'ambiguous' | 'hasPartner' | 'looksAround' | 'severity' | 'within'>,
];

/** Rules of services whose format identifies the service. */
export function rulesOf(check: SecretRule['check'], providers: readonly Provider[]): SecretRule[] {
  return providers.flatMap(([kind, name, shapes, more]) =>
    [shapes].flat().map(shape => ({ check, kind, name, ...compileShape(shape), ...more })),
  );
}
