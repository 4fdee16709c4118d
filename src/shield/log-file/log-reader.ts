import { type FileHandle, stat } from 'node:fs/promises';
import { fingerprintOf, isImprovable, isStillThere, type LogPosition, openAt, openFile } from './position.ts';
import { LineSplitter } from './split-lines.ts';

/** Lines of a log, and the position behind them. */
export interface LogPiece {
  readonly lines: readonly string[];
  /** Lines over 1 MB, which were skipped. */
  readonly tooLong: number;
  /** Null while there is no file; the last one while the file cannot be read. */
  readonly position: LogPosition | null;
  /** There is no file, or it cannot be read. For longer than a rotation takes, if one was read. */
  readonly isMissing: boolean;
  /** Bytes of the file that follow. */
  readonly lag: number;
}

/** While there is no file, or it cannot be read. */
export const nothing = { lines: [], tooLong: 0, isMissing: true, lag: 0 } as const;

const chunkBytes = 64 * 1024;

/** Reads one file of a log. */
export class LogReader {
  readonly #file: FileHandle;
  readonly #lines = new LineSplitter();
  readonly #chunk = Buffer.alloc(chunkBytes);
  #position: LogPosition;
  #readTo: number;
  /** A copy of a truncated log, which does not grow. */
  readonly isCopy: boolean;
  /** When another file was first seen at the log's path, in milliseconds of `performance.now()`. */
  replacedAt: number | undefined;

  private constructor(file: FileHandle, position: LogPosition, isCopy: boolean) {
    this.#file = file;
    this.#position = position;
    this.#readTo = position.offset;
    this.isCopy = isCopy;
  }

  get position(): LogPosition {
    return this.#position;
  }

  /** @returns undefined if there is no file */
  static async fromStart(path: string): Promise<LogReader | undefined> {
    const file = await openFile(path);
    if (file === undefined) return undefined;
    const { ino: inode, dev: device } = await file.stat();
    const position = { device, inode, offset: 0, fingerprint: await fingerprintOf(file, 0) };
    return new LogReader(file, position, false);
  }

  /** @returns undefined if the file with the position is gone */
  static async at(path: string, position: LogPosition): Promise<LogReader | undefined> {
    const file = await openAt(path, position);
    if (file === undefined) return undefined;
    const { ino: inode, dev: device } = await file.stat();
    return new LogReader(file, { ...position, inode, device }, inode !== position.inode);
  }

  /** Reads on, at most to the end. @returns undefined if the file was truncated */
  async next(end = Number.POSITIVE_INFINITY): Promise<(LogPiece & { readonly bytes: number }) | undefined> {
    const length = Math.min(chunkBytes, end - this.#readTo);
    const { bytesRead: bytes } = await this.#file.read(this.#chunk, 0, length, this.#readTo);
    // Afterwards: then the bytes are of the file before a truncation.
    if (!(await isStillThere(this.#file, { ...this.#position, offset: this.#readTo }))) return undefined;
    this.#readTo += bytes;
    const { lines, tooLong } = this.#lines.split(this.#chunk.subarray(0, bytes));
    await this.#advance(this.#readTo - this.#lines.pending);
    const lag = Math.max(0, (await this.size()) - this.#readTo);
    return { lines, tooLong, position: this.#position, isMissing: false, lag, bytes };
  }

  async size(): Promise<number> {
    return (await this.#file.stat()).size;
  }

  /** Ends a last line without an end. */
  end(): LogPiece {
    const { lines, tooLong } = this.#lines.end();
    this.#position = { ...this.#position, offset: this.#readTo };
    return { lines, tooLong, position: this.#position, isMissing: false, lag: 0 };
  }

  async #advance(offset: number): Promise<void> {
    const { fingerprint } = this.#position;
    const better = isImprovable(fingerprint, offset) ? await fingerprintOf(this.#file, offset) : fingerprint;
    this.#position = { ...this.#position, offset, fingerprint: better };
  }

  /** What the path leads to: this file, another one or none. While there is none, or it is not known, this one remains. */
  async fileAt(path: string): Promise<'this' | 'other' | 'none'> {
    const found = await stat(path).catch(() => undefined);
    if (found === undefined) return 'none';
    return found.ino === this.#position.inode && found.dev === this.#position.device ? 'this' : 'other';
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}
