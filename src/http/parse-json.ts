import { Refusal } from '../domain/refusal.ts';

/** Objects and arrays within each other: an event may have 16 levels, within a batch. */
const maxDepth = 32;

/** Values of all levels: 40 for each of as many events as a batch may have. They take most of the time and of the memory of parsing. */
const mostValues = 20_000;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * A body's JSON (RFC 8259). Parsers do not agree on what an object with two members of one name means, nor on a number that no
 * double holds, so that a signed body with one would mean what its reader makes of it: it is refused, as RFC 7493, 2.2 and 2.3 ask.
 *
 * @param maxValues in all: objects and arrays, and what is in them
 * @throws Refusal `invalid_body` that names what is wrong
 */
export function parseJson(bytes: Buffer, maxValues = mostValues): unknown {
  if (bytes.length === 0) throw refused('', 'must be JSON, and is empty');
  let text: string;
  let value: unknown;
  try {
    text = utf8.decode(bytes);
    assertBounded(text, maxValues);
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw refused('', 'must be JSON in UTF-8');
  }
  assertUnambiguous(text);
  return value;
}

/** An object or array that is open at one place of the text. */
interface Open {
  /** Names so far; null for an array. */
  readonly names: Set<string> | null;
  /** The last name, or the index. */
  at: string | number;
}

const [space, quote, backslash, comma] = [0x20, 0x22, 0x5c, 0x2c];
const [minus, zero, nine] = [0x2d, 0x30, 0x39];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

/** Before anything is made of it. @param text which may not be JSON */
function assertBounded(text: string, maxValues: number): void {
  let [depth, values] = [0, 0];
  // Every other value has a comma in front of it.
  let mayBeginFirst = true;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code <= space) continue;
    const opens = code === openBrace || code === openBracket;
    const closes = code === closeBrace || code === closeBracket;
    if (mayBeginFirst ? !closes : code === comma) values += 1;
    if (values > maxValues) throw refused('', `must not have more than ${maxValues} values`);
    if (opens) depth += 1;
    if (closes) depth -= 1;
    if (depth > maxDepth) throw refused('', `must not be nested more than ${maxDepth} levels deep`);
    mayBeginFirst = opens;
    if (code === quote) at = endOfString(text, at);
  }
}

/** Reads the text once. @param text valid JSON */
function assertUnambiguous(text: string): void {
  const open: Open[] = [];
  let current: Open | undefined;
  let isName = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === minus || (code >= zero && code <= nine)) {
      const written = numberAt(text, at);
      if (!isHeld(written)) {
        const where = open.map(({ at }) => at).join('.');
        throw refused(where, 'must be a number that a 64-bit float holds: send a longer one as a text');
      }
      at += written.length - 1;
      continue;
    }
    switch (code) {
      case quote: {
        const start = at;
        at = endOfString(text, at);
        if (isName) addName(open, text.slice(start, at + 1));
        isName = false;
        break;
      }
      case openBrace:
      case openBracket: {
        isName = text.charCodeAt(at) === openBrace;
        current = isName ? { names: new Set(), at: '' } : { names: null, at: 0 };
        open.push(current);
        break;
      }
      case closeBrace:
      case closeBracket:
        open.pop();
        current = open.at(-1);
        isName = false;
        break;
      case comma:
        isName = current?.names !== null;
        if (typeof current?.at === 'number') current.at += 1;
    }
  }
}

/** Where the string ends that begins at a quote; at the end of the text where it does not. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; ; at++) {
    if (at >= text.length) return at;
    const code = text.charCodeAt(at);
    if (code === quote) return at;
    if (code === backslash) at++;
  }
}

function numberAt(text: string, start: number): string {
  numbers.lastIndex = start;
  return numbers.exec(text)![0];
}

const numbers = /[-+.0-9eE]+/y;

/** Characters of the longest integer that ECMAScript writes without an exponent, with a sign, and of any number. */
const longest = { integer: 22, any: 400 };

/** Whether a double has the integer as it is written, and of another number up to 17 significant digits. */
function isHeld(written: string): boolean {
  if (written.length > longest.any) return false;
  const value = Number(written);
  if (/^-?\d+$/.test(written)) {
    const isShort = written.length <= longest.integer;
    return isShort && (String(value) === written || BigInt(value) === BigInt(written));
  }
  const [mantissa = ''] = written.split(/e/i, 1);
  const digits = mantissa.replace(/[-.]/g, '').replace(/^0+/, '');
  const significant = digits.replace(/0{1,400}$/, '').length;
  return Number.isFinite(value) && significant <= 17 && (value !== 0 || significant === 0);
}

/** @param written with its quotes; the same name may be written in several ways */
function addName(open: readonly Open[], written: string): void {
  const object = open.at(-1)!;
  const name: string = written.includes('\\') ? JSON.parse(written) : written.slice(1, -1);
  object.at = name;
  if (object.names?.has(name)) throw refused(open.map(({ at }) => at).join('.'), 'is there more than once');
  object.names?.add(name);
}

function refused(path: string, message: string): Refusal {
  return new Refusal('invalid_body', { fields: [{ path, message }] });
}
