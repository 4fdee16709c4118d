import { IncomingMessage } from 'node:http';
import { GrowingBuffer } from '../bytes/growing-buffer.ts';
import { PieceMeter } from '../bytes/piece-meter.ts';
import { limits } from '../contract/limits.ts';
import { Refusal } from '../domain/refusal.ts';

/** Bytes of a body that are still read after its answer, so that its sender gets to read that. */
const discardedBytes = 1024 * 1024;

/**
 * A request whose body costs memory of the order of its bytes, also where it is sent in chunks of one byte, which Node makes an
 * object of 370 bytes each. Emits `refused` with the reason, once, where no more of the body is read.
 */
export class MeteredRequest extends IncomingMessage {
  readonly #meter = new PieceMeter();
  /** What came before anybody began to read; null from then on. */
  #unread: GrowingBuffer | null = new GrowingBuffer();
  #endsUnread = false;
  /** Bytes that may still come after the answer; null before it. */
  #discardable: number | null = null;
  #refused = false;
  #receivedBytes = 0;
  #isKept = true;
  #headBytes: number | undefined;

  /** Whether more may follow than is read of any body that is not asked for. */
  get isLong(): boolean {
    if (this.complete) return false;
    return (
      this.headers['transfer-encoding'] !== undefined ||
      Number(this.headers['content-length'] ?? 0) > limits.bodyBytes
    );
  }

  /** Bytes that its fields take in memory, about: Node keeps each name and value as a text of its own. */
  get headBytes(): number {
    this.#headBytes ??= this.rawHeaders.reduce((bytes, { length }) => bytes + length + 32, this.url!.length);
    return this.#headBytes;
  }

  /** Bytes of the body that have come, whether or not somebody reads them. */
  get receivedBytes(): number {
    return this.#receivedBytes;
  }

  /** Bytes that are kept until somebody begins to read. */
  get unreadBytes(): number {
    return this.#unread?.bytes.length ?? 0;
  }

  /** Bytes that are kept of a body that has not ended, as far as nobody says otherwise. */
  get unfinishedBytes(): number {
    return this.#isKept ? Math.min(this.#receivedBytes, limits.bodyBytes) : 0;
  }

  /** Called by who reads the body and keeps nothing of it, or bounds what is kept in another way. */
  leaveUncounted(): void {
    this.#isKept = false;
  }

  /** Reads on after the answer, for nobody, and only so much. */
  discardRest(): void {
    if (this.complete || this.destroyed) return;
    this.#discardable = discardedBytes;
    // Begins to read if nobody has. Node would otherwise drop what comes without telling how much it is.
    this.read();
    this.resume();
  }

  /** Called by Node's parser with every piece as it comes, and with null for the end. */
  override push(piece: Buffer | null): boolean {
    // Without its end: what is left of a refused body must not be taken for all of it.
    if (this.#refused) return false;
    if (piece === null) {
      this.#endsUnread = this.#unread !== null && this.#unread.bytes.length > 0;
      return this.#endsUnread ? false : super.push(null);
    }
    this.#receivedBytes += piece.length;
    if (!this.#meter.take(piece.length)) return this.#refuse('comes in too many small pieces');
    if (this.#discardable !== null) {
      this.#discardable -= piece.length;
      return this.#discardable >= 0 || this.#refuse('goes on after its answer');
    }
    if (!this.#unread) return super.push(piece);
    this.#unread.append(piece);
    return this.#unread.bytes.length < this.readableHighWaterMark;
  }

  /** Called once somebody begins to read, and whenever more is wanted. */
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
