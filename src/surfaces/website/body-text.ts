import type { HeaderList, HttpResponse } from '../../captures/website.ts';
import { type BoundedBytes, decodeBounded } from './body.ts';

type BodyText = Pick<HttpResponse, 'body' | 'body_truncated' | 'body_unread'>;

/**
 * Decodes a body as a browser would, or returns the reason why it is not decoded. Wrongly decoded, a page would show
 * detectors nothing, and pass.
 *
 * @param encoding `latin1` for one character per byte
 */
export async function readBodyText(
  received: BoundedBytes,
  headers: HeaderList,
  limit: number,
  encoding: 'utf8' | 'latin1',
): Promise<BodyText> {
  const body = await decodeBounded(received, codingsOf(headers), limit);
  if (body === null) return unread('A response uses a compression that the scan does not support.', received);
  const kept = body.bytes.subarray(0, limit);
  const isCut = body.truncated || body.bytes.length > kept.length;
  const charset = charsetOf(kept, headers);
  const isRead = charset !== null && (encoding === 'utf8' || charset === 'ascii');
  if (!isRead)
    return unread('A response is in a character encoding that the scan does not support.', received);
  // Browsers do not treat the byte order mark as text; detectors compare the beginning.
  const text =
    charset === 'ascii'
      ? kept.toString(encoding)
      : new TextDecoder(charset, { ignoreBOM: true }).decode(kept);
  if (encoding === 'utf8' && isBinary(text)) return unread('A response is not text.', received);
  return { body: text, body_truncated: isCut, body_unread: null };
}

function unread(reason: string, { truncated }: BoundedBytes): BodyText {
  return { body: '', body_truncated: truncated, body_unread: reason };
}

/** In the order of application: those of the transfer are last, and `chunked` has already been removed. */
function codingsOf(headers: HeaderList): readonly string[] {
  const named = (field: string) =>
    headers.filter(([name]) => name === field).flatMap(([, value]) => value.split(','));
  const ofTransfer = named('transfer-encoding').filter(name => name.trim().toLowerCase() !== 'chunked');
  return [...named('content-encoding'), ...ofTransfer];
}

/** `ascii`: every ASCII character is its own single byte, so tags and keys read the same in all of these encodings. */
type Charset = 'ascii' | 'utf-16le' | 'utf-16be';

const label = /charset\s*=\s*["']?([^\s"';,/>]+)/gi;

/** A media type and its encoding, in a form that all browsers parse the same way. */
const clearlyDeclared = /^[\w.+-]{1,40}\/[\w.+-]{1,80} {0,9}; {0,9}charset=("?)([\w.:-]{1,40})\1;?$/i;

/**
 * Bytes at the beginning in which a document may declare its encoding (HTML, 13.2.3.2). Browsers also search beyond
 * them.
 */
const prescanned = 1024;

/**
 * The encoding that browsers use for a body, by its byte order mark, its header or its content; null if unknown or
 * unsupported.
 */
function charsetOf(bytes: Buffer, headers: HeaderList): Charset | null {
  const mark = bytes.toString('hex', 0, 3);
  if (mark === 'efbbbf') return 'ascii';
  if (mark.startsWith('fffe')) return 'utf-16le';
  if (mark.startsWith('feff')) return 'utf-16be';
  const types = headers.filter(([name]) => name === 'content-type').map(([, value]) => value);
  const [, , declared] = (types.length === 1 && clearlyDeclared.exec(types[0]!)) || [];
  const ofHeader = declared === undefined ? undefined : kindOf(declared);
  if (ofHeader !== undefined) return ofHeader;
  // Escapes switch between the character sets of ISO 2022, which documents can declare anywhere and some browsers
  // guess. Text in them has no NUL, which archives and databases have.
  if (!bytes.includes(0) && (bytes.includes('\x1b(') || bytes.includes('\x1b$'))) return null;
  const inHeaders = types.flatMap(type => [...type.matchAll(label)]).map(([, name = '']) => kindOf(name));
  // A document whose beginning can be read is not in UTF-16, whatever it declares (HTML, 13.2.3.2).
  const beginning = bytes.toString('latin1', 0, prescanned);
  const inDocument = [...beginning.matchAll(label)].map(
    ([, name = '']) => kindOf(name) && ('ascii' as const),
  );
  const kinds = new Set([...inHeaders, ...inDocument].filter(kind => kind !== undefined));
  const [kind = 'ascii'] = kinds;
  return kinds.size > 1 ? null : kind;
}

/** Names in the encoding standard that this Node.js does not support. */
const furtherAscii = new Set(['x-user-defined', 'iso-8859-16']);

/** Encodings in which a byte of ASCII may mean something else, and that Node.js does not support. */
const furtherUnsafe =
  /^(?:utf-?(?:7|32)|ucs-?[24]|(?:cs)?iso-?2022|hz|ibm|ebcdic|cp-?(?:0?37|500|1047)|replacement)/i;

/** Null if unsupported; undefined for a label that browsers ignore, such as `utf8mb4` in a dump of MySQL. */
function kindOf(label: string): Charset | null | undefined {
  if (furtherAscii.has(label.toLowerCase())) return 'ascii';
  try {
    const { encoding } = new TextDecoder(label);
    if (encoding === 'utf-16le' || encoding === 'utf-16be') return encoding;
    return encoding === 'iso-2022-jp' ? null : 'ascii';
  } catch {
    return furtherUnsafe.test(label) ? null : undefined;
  }
}

/** Text with one byte per character has no NUL; a faulty page has few. */
function isBinary(text: string): boolean {
  let count = 0;
  for (let at = text.indexOf('\0'); at !== -1; at = text.indexOf('\0', at + 1)) count += 1;
  return count > text.length / 100;
}
