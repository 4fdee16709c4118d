import { GrowingBuffer } from '../../bytes/growing-buffer.ts';
import { ConnectionFailed } from '../connection/connection-failed.ts';
import type { Screen } from '../connection/driver-stream.ts';
import { LogIn } from './log-in.ts';

const code = (letter: string) => letter.charCodeAt(0);
const [authentication, error, notice] = [code('R'), code('E'), code('N')];
const [columns, row] = [code('T'), code('D')];
/** Types of the messages that a server sends in such a session, including keys, settings, rows and notifications. */
const expected = new Set([...'RENSKZTDCA'].map(code));

const maxLength = 64 * 1024;

/**
 * Passes complete messages of PostgreSQL's protocol 3.0. The driver does not check the ends of their fields: an error
 * message without its last zero byte would make it read forever.
 */
export class BackendMessages implements Screen {
  readonly #logIn: LogIn;
  readonly #waiting = new GrowingBuffer();
  #columns = 0;

  /** @param encrypted whether the connection is encrypted, to a verified server */
  constructor(encrypted: boolean) {
    this.#logIn = new LogIn(encrypted);
  }

  receive(bytes: Buffer): Buffer {
    this.#waiting.append(bytes);
    const all = this.#waiting.bytes;
    let end = 0;
    while (end < all.length) {
      if (!expected.has(all[end]!)) throw new ConnectionFailed('protocol_invalid');
      if (all.length < end + 5) break;
      const length = all.readUInt32BE(end + 1);
      if (length < 4 || length > maxLength) throw new ConnectionFailed('protocol_invalid');
      if (all.length < end + 1 + length) break;
      this.#check(all[end]!, all.subarray(end + 5, end + 1 + length));
      end += 1 + length;
    }
    return this.#waiting.take(end);
  }

  #check(type: number, body: Buffer): void {
    if (type === authentication) this.#logIn.follow(body);
    if (type === columns) this.#columns = countOf(body);
    // The driver gives every row all announced columns: a short row would cost more than its bytes.
    if (type === row && countOf(body) !== this.#columns) throw new ConnectionFailed('protocol_invalid');
    if ((type === error || type === notice) && !isFieldList(body)) {
      throw new ConnectionFailed('protocol_invalid');
    }
  }
}

/** The number at the beginning of a row or of the description of its columns. */
function countOf(body: Buffer): number {
  if (body.length < 2) throw new ConnectionFailed('protocol_invalid');
  return body.readUInt16BE(0);
}

/** Fields of one letter and a zero-terminated text, followed by a zero byte. */
function isFieldList(body: Buffer): boolean {
  let at = 0;
  while (at < body.length && body[at] !== 0) {
    const end = body.indexOf(0, at + 1);
    if (end === -1) return false;
    at = end + 1;
  }
  return at === body.length - 1;
}
