import { IncomingMessage } from 'node:http';
import { GrowingBuffer } from '../bytes/growing-buffer.ts';
import { PieceMeter } from '../bytes/piece-meter.ts';
import { limits } from '../contract/limits.ts';
import { Refusal } from '../domain/refusal.ts';

/** Bytes of a body to discard after the answer: most clients read the answer only after sending. */
const discardedBytes = 1024 * 1024;

/**
 * A request whose unread body takes memory proportional to its size, even in one-byte chunks, for which Node allocates 370 bytes each.
 * Emits `refused` once, with the reason, when it stops reading the body.
 */
export class MeteredRequest extends IncomingMessage {
  readonly #meter = new PieceMeter();
  /** Data received before the first read; null after it. */
  #unread: GrowingBuffer | null = new GrowingBuffer();
  #endsUnread = false;
  /** Bytes that are still discarded after the answer; null before it. */
  #discardable: number | null = null;
  #refused = false;
  #receivedBytes = 0;
  #isKept = true;
  #headBytes: number | undefined;

  /** Whether the rest of the body may exceed what is discarded. */
  get isLong(): boolean {
    if (this.complete) return false;
    return (
      this.headers['transfer-encoding'] !== undefined ||
      Number(this.headers['content-length'] ?? 0) > limits.bodyBytes
    );
  }

  /** Approximate memory of the header fields: Node allocates a string for each name and value. */
  get headBytes(): number {
    this.#headBytes ??= this.rawHeaders.reduce((bytes, { length }) => bytes + length + 32, this.url!.length);
    return this.#headBytes;
  }

  /** Received bytes of the body, read or not. */
  get receivedBytes(): number {
    return this.#receivedBytes;
  }

  /** Bytes buffered until the first read. */
  get unreadBytes(): number {
    return this.#unread?.bytes.length ?? 0;
  }

  /** Memory of an incomplete body, unless `leaveUncounted` was called. */
  get unfinishedBytes(): number {
    return this.#isKept ? Math.min(this.#receivedBytes, limits.bodyBytes) : 0;
  }

  /** For readers that do not buffer the body, or limit it themselves. */
  leaveUncounted(): void {
    this.#isKept = false;
  }

  /** Discards the rest of the body after the answer, up to a limit. */
  discardRest(): void {
    if (this.complete || this.destroyed) return;
    this.#discardable = discardedBytes;
    // Starts reading: otherwise Node would drop the data without counting it.
    this.read();
    this.resume();
  }

  /** Called by the parser of Node with every chunk, and with null at the end. */
  override push(piece: Buffer | null): boolean {
    // Not even the end: a refused body must not appear complete.
    if (this.#refused) return false;
    if (piece === null) {
      this.#endsUnread = this.#unread !== null && this.#unread.bytes.length > 0;
      return this.#endsUnread ? false : super.push(null);
    }
    this.#receivedBytes += piece.length;
    if (!this.#meter.take(piece.length)) return this.#refuse('was sent in too many small chunks');
    if (this.#discardable !== null) {
      this.#discardable -= piece.length;
      return this.#discardable >= 0 || this.#refuse('continues after the answer');
    }
    if (!this.#unread) return super.push(piece);
    this.#unread.append(piece);
    return this.#unread.bytes.length < this.readableHighWaterMark;
  }

  /** Called by Node on the first read, and whenever more data is needed. */
  override _read(size: number): void {
    const unread = this.#unread?.bytes;
    this.#unread = null;
    if (this.#refused) return;
    if (unread && unread.length > 0) super.push(unread);
    if (this.#endsUnread) super.push(null);
    super._read(size);
  }

  #refuse(message: string): false {
    this.#refused = true;
    this.emit('refused', new Refusal('invalid_body', { fields: [{ path: '', message }] }));
    return false;
  }
}
