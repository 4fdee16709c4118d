import type net from 'node:net';
import { Duplex } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { ConnectionFailed } from './connection-failed.ts';

/** Looks at what a server sends before a driver does. */
export interface Screen {
  /**
   * @returns what the driver may see of it now: whole messages
   * @throws ConnectionFailed when no server of this kind would send it.
   */
  receive(bytes: Buffer): Buffer;
}

/** Bytes that a server may send in a session that reads next to nothing. */
const defaultLimit = 512 * 1024;
/** Milliseconds that a server gets for its own goodbye. */
const goodbyeMs = 300;

/**
 * A connection that stands already, in the shape in which a database driver takes one. Drivers trust their server;
 * this stands between: it limits what comes in, shows only what passes the screen, and turns an exception that an
 * answer causes inside the driver into a failed connection where it would end the process.
 */
export class DriverStream extends Duplex {
  readonly #screen: Screen;
  readonly #maxReceived: number;
  #socket: net.Socket | undefined;
  #received = 0;
  /** Why the connection failed, first of all reasons. Drivers wrap errors or swallow them. */
  #failure: unknown;

  /** @param maxReceived bytes that the server may send in the whole session */
  constructor(screen: Screen, maxReceived = defaultLimit) {
    super();
    this.#screen = screen;
    this.#maxReceived = maxReceived;
  }

  /** Gives the stream its socket, on which nobody else listens any more. */
  attach(socket: net.Socket): this {
    this.#socket = socket;
    socket.on('data', bytes => this.#receive(bytes));
    socket.on('end', () => this.push(null));
    socket.on('error', error => this.destroy(error));
    socket.on('close', () => this.destroy());
    if (socket.destroyed) this.destroy();
    else socket.resume();
    return this;
  }

  /**
   * Runs a driver's work and its goodbye; the work ends when the connection does, whatever the driver makes of it.
   *
   * @throws the connection's failure if there is one, else the work's; the signal's reason when aborted.
   */
  async carry<T>(signal: AbortSignal, work: () => Promise<T>, goodbye: () => void): Promise<T> {
    signal.throwIfAborted();
    const onAbort = () => this.destroy(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    const closed = new Promise<void>(resolve => this.once('close', resolve));
    const lost = closed.then(() => Promise.reject(new ConnectionFailed('connection_failed')));
    lost.catch(() => {});
    try {
      const result = await Promise.race([work(), lost]);
      goodbye();
      await Promise.race([closed, setTimeout(goodbyeMs, undefined, { ref: false })]);
      return result;
    } catch (error) {
      throw this.#failure ?? error;
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.destroy();
    }
  }

  #receive(bytes: Buffer): void {
    this.#received += bytes.length;
    try {
      if (this.#received > this.#maxReceived) throw new ConnectionFailed('protocol_invalid');
      const shown = this.#screen.receive(bytes);
      if (shown.length > 0) this.push(shown);
    } catch (error) {
      this.destroy(error as Error);
    }
  }

  /** The driver's listeners run inside: what they throw at an answer is the answer's fault. */
  override emit(event: string | symbol, ...values: unknown[]): boolean {
    try {
      return super.emit(event, ...values);
    } catch {
      this.destroy(new ConnectionFailed('protocol_invalid'));
      return true;
    }
  }

  override _read(): void {}

  override _write(bytes: Buffer, _: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#socket?.write(bytes, done);
  }

  override _final(done: () => void): void {
    this.#socket?.end();
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#failure ??= error;
    this.#socket?.destroy();
    done(error);
  }

  /** Drivers connect and tune a socket of their own; this one is connected and tuned. */
  connect(): this {
    process.nextTick(() => this.emit('connect'));
    return this;
  }

  setNoDelay(): this {
    return this;
  }
}
