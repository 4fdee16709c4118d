import type net from 'node:net';
import { Duplex } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { ConnectionFailed } from './connection-failed.ts';

/** Validates what a server sends before a driver reads it. */
export interface Screen {
  /**
   * @returns the complete messages that the driver may read now
   * @throws ConnectionFailed if no server of this kind would send it
   */
  receive(bytes: Buffer): Buffer;
}

/** Bytes that a server may send in a session that reads almost no data. */
const defaultLimit = 512 * 1024;
/** Milliseconds that a server gets to close the connection. */
const goodbyeMs = 300;

/**
 * Provides an open connection as the stream that a database driver expects. Drivers trust their server; this stream
 * limits how much they receive, passes only what the screen accepts, and turns an exception that an answer causes
 * inside the driver into a failed connection instead of a crash.
 */
export class DriverStream extends Duplex {
  readonly #screen: Screen;
  readonly #maxReceived: number;
  #socket: net.Socket | undefined;
  #received = 0;
  /** The first reason why the connection failed. Drivers wrap errors or swallow them. */
  #failure: unknown;

  /** @param maxReceived bytes that the server may send in the whole session */
  constructor(screen: Screen, maxReceived = defaultLimit) {
    super();
    this.#screen = screen;
    this.#maxReceived = maxReceived;
  }

  /** Attaches the socket, which must have no other listeners. */
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
   * Runs a driver's work and closes its connection. The work ends when the connection does, whether the driver notices
   * or not.
   *
   * @throws the connection's failure if there is one, else the work's; the signal's reason if aborted
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

  /** Events call the driver's listeners: what they throw was caused by the server's answer. */
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

  /** Drivers connect and configure their socket; this one already is. */
  connect(): this {
    process.nextTick(() => this.emit('connect'));
    return this;
  }

  setNoDelay(): this {
    return this;
  }
}
