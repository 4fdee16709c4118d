import { write } from 'node:fs';
import type { DestinationStream } from 'pino';
import { shortLine } from './short-line.ts';

/** Bytes of lines that may be queued in memory. */
const mostWaiting = 16 * 1024 * 1024;

const linesAtOnce = 500;

/** Bytes of a piece for a line end and a `log.dropped` line. */
const reserve = 128;

/** Bytes that Linux writes to a pipe in one piece (PIPE_BUF of pipe(7)). */
const onePiece = 4_096;

/** Bytes of the longest line of several processes. */
export const longestShared = onePiece - reserve;

/** Milliseconds before a retry: when the pipe is full, and after a failed write. */
const [busyMs, failedMs] = [100, 1_000];

/**
 * Writes log lines without blocking. Clients can cause lines faster than a reader consumes them, and a disk can be full: lines beyond the
 * limit and failed writes are dropped, and a `log.dropped` line reports their number. Lines of several processes that write to one pipe do
 * not mix.
 */
export class LogDestination implements DestinationStream {
  readonly #fd: number;
  readonly #most: number;
  readonly #isShared: boolean;
  readonly #waiting: string[] = [];
  readonly #onDrained: (() => void)[] = [];
  #bytes = 0;
  #dropped = 0;
  #isBusy = false;
  #hasFailed = false;

  /** @param isShared whether other processes write to the same pipe */
  constructor(fd: number, { most = mostWaiting, isShared = false } = {}) {
    this.#fd = fd;
    this.#most = most;
    this.#isShared = isShared;
  }

  write(given: string): void {
    const line = this.#isShared ? shortLine(given, longestShared) : given;
    const bytes = Buffer.byteLength(line);
    if (this.#bytes + bytes > this.#most) {
      this.#dropped += 1;
      return;
    }
    this.#bytes += bytes;
    this.#waiting.push(line);
    this.#next();
  }

  /** Resolves to whether all queued lines were written in time. */
  async drained(milliseconds: number): Promise<boolean> {
    if (this.#bytes === 0) return true;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<false>(resolve => {
      timer = setTimeout(() => resolve(false), milliseconds);
    });
    const done = new Promise<true>(resolve => this.#onDrained.push(() => resolve(true)));
    const isDrained = await Promise.race([done, late]);
    clearTimeout(timer);
    return isDrained;
  }

  #next(): void {
    if (this.#isBusy) return;
    if (this.#waiting.length === 0) {
      for (const resolve of this.#onDrained.splice(0)) resolve();
      return;
    }
    this.#isBusy = true;
    const lines = this.#waiting.splice(0, this.#isShared ? this.#ofOnePiece() : linesAtOnce);
    const bytes = lines.reduce((sum, line) => sum + Buffer.byteLength(line), 0);
    const reported = this.#dropped;
    const first = [...(this.#hasFailed ? ['\n'] : []), ...(reported > 0 ? [droppedLine(reported)] : [])];
    const end = (error: Error | null) => {
      this.#bytes -= bytes;
      if (error === null) {
        this.#dropped -= reported;
        this.#hasFailed = false;
        this.#resume();
        return;
      }
      this.#dropped += lines.length;
      if (!this.#hasFailed) write(2, `Writing the log failed: ${error.message}\n`, () => {});
      this.#hasFailed = true;
      setTimeout(() => this.#resume(), failedMs).unref();
    };
    this.#send(Buffer.from([...first, ...lines].join('')), end);
  }

  /** The number of lines that are written in one piece. */
  #ofOnePiece(): number {
    let bytes = reserve;
    const end = this.#waiting.findIndex(line => {
      bytes += Buffer.byteLength(line);
      return bytes > onePiece;
    });
    return end === -1 ? this.#waiting.length : Math.max(1, end);
  }

  #resume(): void {
    this.#isBusy = false;
    this.#next();
  }

  #send(bytes: Buffer, end: (error: Error | null) => void): void {
    write(this.#fd, bytes, (error, written) => {
      if (error?.code === 'EAGAIN') setTimeout(() => this.#send(bytes, end), busyMs);
      else if (error === null && written < bytes.length) this.#send(bytes.subarray(written), end);
      else end(error);
    });
  }
}

function droppedLine(lines: number): string {
  return `${JSON.stringify({ level: 40, time: Date.now(), pid: process.pid, lines, msg: 'log.dropped' })}\n`;
}
