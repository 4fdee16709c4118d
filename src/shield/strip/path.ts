import { shieldBounds } from '../../contract/shield-events.ts';

/** Segments of a path that are reported; further ones are cut off. */
const maxSegments = 20;
/** A longer segment is a value. */
const maxSegment = 100;

/**
 * A path as it may leave: only segments that are names of pages and files stay. Segments with other characters are `:data`, as most
 * attacks and all email addresses are. Numbers, UUIDs, dates and what seems random is `:id`. A secret that looks like a word cannot be
 * recognized.
 *
 * @param path without query; attackers choose it
 */
export function strippedPath(path: string): string {
  const segments = path.slice(0, 8_192).split('/', maxSegments + 1);
  const stripped = segments.map(strippedSegment);
  // A code in groups may be spread over segments.
  const isCodes = stripped.filter(isCodeLike).length > 2;
  const shown = isCodes ? stripped.map(segment => (isCodeLike(segment) ? ':id' : segment)) : stripped;
  return shown.join('/').slice(0, shieldBounds.path).toWellFormed();
}

const isCodeLike = (segment: string) => /^[\p{L}\p{N}]{1,4}$/u.test(segment) && /\d\p{L}/u.test(segment);

function strippedSegment(written: string): string {
  const segment = decoded(written);
  if (segment === '') return '';
  if (segment.length > maxSegment || !/^[\p{L}\p{M}\p{N}._~-]+$/u.test(segment)) return ':data';
  const parts = segment.split(/[._~-]/);
  const isNamed = parts.some(part => /^\p{L}/u.test(part)) || parts.every(part => part === '');
  return isNamed && parts.every(isPlain) && !hasDate(parts) && !isCode(parts) ? segment : ':id';
}

/** Decoded twice, as servers and applications in sequence do; text that is not encoded stays. */
function decoded(segment: string): string {
  let text = segment;
  for (let round = 0; round < 2; round++) {
    try {
      text = decodeURIComponent(text);
    } catch {
      break;
    }
  }
  return text;
}

/** Whether a part is a word, as in names of pages, and no number of a record and nothing random. */
function isPlain(part: string): boolean {
  // Short ones, such as `2fa`, `h264`, `v2` and `mp3`, and versions.
  if (part.length <= 4) return true;
  if (!/^\p{L}[\p{L}\p{M}]{1,23}\d{0,2}$/u.test(part)) return false;
  const isHex = /^[0-9a-f]+$/i.test(part);
  return !(isHex && part.length >= 8) && !isScrambled(part) && !isUnpronounceable(part);
}

/** Whether several short parts have digits before letters, as codes in groups do (`k3f9-x2mq-8zrt`), and names seldom. */
function isCode(parts: readonly string[]): boolean {
  return parts.filter(part => /\d\p{L}/u.test(part)).length > 1;
}

/** Whether a word has more consonants in sequence than words have. */
function isUnpronounceable(part: string): boolean {
  const words = part.split(/(?<=\p{Ll})(?=\p{Lu})/u);
  return words.some(word => word.length >= 8 && /[bcdfghjklmnpqrstvwxz]{5}/i.test(word));
}

/** Whether uppercase letters are where words have none: camelCase has a few, and abbreviations have only those. */
function isScrambled(part: string): boolean {
  const capitals = part.match(/\p{Lu}/gu)?.length ?? 0;
  const rises = part.match(/\p{Ll}\p{Lu}/gu)?.length ?? 0;
  return capitals === part.replace(/\d/g, '').length ? part.length > 12 : rises > 3 || capitals > 5;
}

/** Several numbers in one segment are a date, a phone number, or the parts of an id. */
function hasDate(parts: readonly string[]): boolean {
  return parts.filter(part => /^\d+$/.test(part)).join('').length > 4;
}
