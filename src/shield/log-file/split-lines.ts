import { GrowingBuffer } from '../../bytes/growing-buffer.ts';

/** Bytes of a line. A longer one is skipped. */
export const maxLine = 1_000_000;

/** Splits bytes that arrive in pieces into lines. Each byte is searched once, and memory is bounded. */
export class LineSplitter {
  readonly #begun = new GrowingBuffer();
  /** Of a line that is being skipped. */
  #skipped = 0;

  /** Bytes that were given and belong to a line that has not ended. */
  get pending(): number {
    return this.#skipped + this.#begun.bytes.length;
  }

  /** @returns the lines that end in the piece, without their ends, and how many were too long */
  split(piece: Buffer): { readonly lines: readonly string[]; readonly tooLong: number } {
    const lines: string[] = [];
    let tooLong = 0;
    let start = 0;
    for (let end = piece.indexOf(10); end !== -1; end = piece.indexOf(10, start)) {
      if (!this.#append(piece.subarray(start, end))) tooLong += 1;
      else lines.push(this.#begun.take(this.#begun.bytes.length).toString('utf8'));
      this.#skipped = 0;
      start = end + 1;
    }
    this.#append(piece.subarray(start));
    return { lines, tooLong };
  }

  /** Ends the line that has begun, because its file has ended. */
  end(): { readonly lines: readonly string[]; readonly tooLong: number } {
    return this.pending === 0 ? { lines: [], tooLong: 0 } : this.split(Buffer.from('\n'));
  }

  /** @returns whether the line is still short enough */
  #append(part: Buffer): boolean {
    const isShort = this.#skipped === 0 && this.#begun.bytes.length + part.length <= maxLine;
    if (isShort) this.#begun.append(part);
    else {
      this.#skipped += this.#begun.bytes.length + part.length;
      this.#begun.take(this.#begun.bytes.length);
    }
    return isShort;
  }
}
