import { write } from 'node:fs';
import type { DestinationStream } from 'pino';

/** Bytes of lines that wait in memory for who reads them. */
const mostWaiting = 16 * 1024 * 1024;

const linesAtOnce = 500;

/** Milliseconds until it is tried again: where the reader has no room, and where the log cannot be written. */
const [busyMs, failedMs] = [100, 1_000];

/**
 * Where the log goes. Anybody can cause a line for each request, faster than a slow reader takes them, and a disk can be full: lines that
 * find no room or cannot be written are dropped and counted, and the next one that is written follows one that says how many. Nothing waits
 * for the log, neither requests nor the end of the process.
 */
export class LogDestination implements DestinationStream {
  readonly #fd: number;
  readonly #most: number;
  readonly #waiting: string[] = [];
  readonly #onDrained: (() => void)[] = [];
  #bytes = 0;
  #dropped = 0;
  #isBusy = false;
  #hasFailed = false;

  constructor(fd: number, most = mostWaiting) {
    this.#fd = fd;
    this.#most = most;
  }

  write(line: string): void {
    const bytes = Buffer.byteLength(line);
    if (this.#bytes + bytes > this.#most) {
      this.#dropped += 1;
      return;
    }
    this.#bytes += bytes;
    this.#waiting.push(line);
    this.#next();
  }

  /** Whether all lines were written within so many milliseconds. */
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
      for (const tell of this.#onDrained.splice(0)) tell();
      return;
    }
    this.#isBusy = true;
    const lines = this.#waiting.splice(0, linesAtOnce);
    const bytes = lines.reduce((sum, line) => sum + Buffer.byteLength(line), 0);
    const told = this.#dropped;
    const first = [...(this.#hasFailed ? ['\n'] : []), ...(told > 0 ? [droppedLine(told)] : [])];
    const end = (error: Error | null) => {
      this.#bytes -= bytes;
      if (error === null) {
        this.#dropped -= told;
        this.#hasFailed = false;
        this.#goOn();
        return;
      }
      this.#dropped += lines.length;
      if (!this.#hasFailed) write(2, `The log cannot be written (${error.message}).\n`, () => {});
      this.#hasFailed = true;
      setTimeout(() => this.#goOn(), failedMs).unref();
    };
    this.#send(Buffer.from([...first, ...lines].join('')), end);
  }

  #goOn(): void {
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
