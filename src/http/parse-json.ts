import { Refusal } from '../domain/refusal.ts';

/** Objects and arrays within each other: an event may have 16 levels, within a batch. */
const maxDepth = 32;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * A body's JSON (RFC 8259). Parsers do not agree on what an object with two members of one name means, so that a signed
 * body with one would mean what its reader makes of it: it is refused, as RFC 7493, 2.3 asks.
 *
 * @throws Refusal `invalid_body` that names what is wrong
 */
export function parseJson(bytes: Buffer): unknown {
  let text: string;
  let value: unknown;
  try {
    text = utf8.decode(bytes);
    value = JSON.parse(text);
  } catch {
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

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

/** Reads the text once. @param text valid JSON */
function assertUnambiguous(text: string): void {
  const open: Open[] = [];
  let current: Open | undefined;
  let isName = false;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
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
        if (open.length > maxDepth) throw refused('', `must not be nested more than ${maxDepth} levels deep`);
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

/** Where the string ends that begins at a quote. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; ; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) return at;
    if (code === backslash) at++;
  }
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
