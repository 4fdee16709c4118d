import { Refusal } from '../domain/refusal.ts';

/** Maximum nesting depth. The payload of an event may have 16 levels. */
const maxDepth = 32;

/** Maximum number of values: 40 for each event of a full batch. It bounds the time and memory of parsing. */
const mostValues = 20_000;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Parses a JSON body (RFC 8259). Duplicate names and numbers that do not fit a double are rejected, as in RFC 7493 (sections 2.2 and
 * 2.3): parsers interpret them differently, and a signed body must be unambiguous.
 *
 * @param maxValues maximum number of objects, arrays and other values
 * @throws Refusal `invalid_body` with the path and the reason
 */
export function parseJson(bytes: Buffer, maxValues = mostValues): unknown {
  if (bytes.length === 0) throw refused('', 'must not be empty');
  let text: string;
  let facts: TextFacts;
  let value: unknown;
  try {
    text = utf8.decode(bytes);
    facts = scanText(text, maxValues);
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw refused('', 'must be JSON in UTF-8');
  }
  // A repeated name replaces the value before it, so that the value has fewer names than the text.
  if (facts.hasLongNumber || namesIn(value) < facts.names) assertUnambiguous(text);
  return value;
}

/** What a text contains outside of strings. */
interface TextFacts {
  readonly names: number;
  /** A number that may be more precise than a double. */
  readonly hasLongNumber: boolean;
}

/** Names of all objects in a parsed value. */
function namesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const values = Object.values(value);
  return values.reduce<number>((sum, each) => sum + namesIn(each), Array.isArray(value) ? 0 : values.length);
}

/** An object or array that is being read. */
interface Open {
  /** Names read so far; null for an array. */
  readonly names: Set<string> | null;
  /** Current name or index. */
  at: string | number;
}

const [space, quote, backslash, comma, colon] = [0x20, 0x22, 0x5c, 0x2c, 0x3a];
const [minus, point, zero, nine] = [0x2d, 0x2e, 0x30, 0x39];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

/** Characters of a number without an exponent that a double always represents. */
const surelyExact = 15;

/**
 * Checks depth and number of values before parsing, and returns what the parsed value does not show.
 *
 * @param text possibly invalid JSON
 */
function scanText(text: string, maxValues: number): TextFacts {
  let [depth, values, names] = [0, 0, 0];
  let hasLongNumber = false;
  // All values except the first are preceded by a comma.
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
    else if (code === colon) names += 1;
    else if (code === minus || (code >= zero && code <= nine)) {
      const end = endOfNumber(text, at);
      hasLongNumber ||= end - at > surelyExact || isExponent(text.charCodeAt(end));
      at = end - 1;
    }
  }
  return { names, hasLongNumber };
}

/** Position behind the digits and points of a number. */
function endOfNumber(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code !== point && (code < zero || code > nine)) break;
  }
  return at;
}

const isExponent = (code: number) => code === 0x65 || code === 0x45;

/** Checks numbers and names in one pass. @param text valid JSON */
function assertUnambiguous(text: string): void {
  const open: Open[] = [];
  let current: Open | undefined;
  let isName = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === minus || (code >= zero && code <= nine)) {
      const written = numberAt(text, at);
      if (!isExact(written)) {
        const where = open.map(({ at }) => at).join('.');
        throw refused(where, 'must fit a 64-bit float: send larger or more precise numbers as strings');
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

/** Position of the closing quote, or the length of the text if it is missing. */
function endOfString(text: string, start: number): number {
  let at = start;
  do {
    at = text.indexOf('"', at + 1);
    if (at < 0) return text.length;
  } while (isEscaped(text, at));
  return at;
}

/** Whether the character is behind an odd number of backslashes. */
function isEscaped(text: string, at: number): boolean {
  let before = at;
  while (text.charCodeAt(before - 1) === backslash) before -= 1;
  return (at - before) % 2 === 1;
}

function numberAt(text: string, start: number): string {
  numbers.lastIndex = start;
  return numbers.exec(text)![0];
}

const numbers = /[-+.0-9eE]+/y;

/** Maximum length of an integer that ECMAScript prints without an exponent, with sign, and of any number. */
const longest = { integer: 22, any: 400 };

/** Whether a double represents an integer exactly, or another number with up to 17 significant digits. */
function isExact(written: string): boolean {
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

/** @param written with quotes and escapes */
function addName(open: readonly Open[], written: string): void {
  const object = open.at(-1)!;
  const name: string = written.includes('\\') ? JSON.parse(written) : written.slice(1, -1);
  object.at = name;
  if (object.names?.has(name)) throw refused(open.map(({ at }) => at).join('.'), 'must not be repeated');
  object.names?.add(name);
}

function refused(path: string, message: string): Refusal {
  return new Refusal('invalid_body', { fields: [{ path, message }] });
}
