/** What one line of JSON may be. */
export interface LineBounds {
  readonly bytes: number;
  /** Values of any type, those inside of others too. Empty lists and objects count twice. */
  readonly values: number;
  /** Lists and objects within each other. */
  readonly depth: number;
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const opening = new Set([0x5b, 0x7b]);
const closing = new Set([0x5d, 0x7d]);

/**
 * Measures JSON as it comes in, before anything parses it. What parsing costs depends on the values more than on the bytes:
 * 4 MB of lists within each other take most of a second, 4 MB of text some milliseconds.
 */
export class JsonMeter {
  readonly #bounds: LineBounds;
  #bytes = 0;
  #values = 1;
  #depth = 0;
  #inText = false;
  #escaped = false;

  constructor(bounds: LineBounds) {
    this.#bounds = bounds;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Takes the next piece. @returns whether all that came is still within the bounds */
  take(piece: Buffer): boolean {
    this.#bytes += piece.length;
    if (this.#bytes > this.#bounds.bytes) return false;
    for (const byte of piece) {
      if (this.#inText) this.#followText(byte);
      else if (byte === quote) this.#inText = true;
      else if (byte === comma) this.#values += 1;
      else if (opening.has(byte)) {
        this.#values += 1;
        this.#depth += 1;
        if (this.#depth > this.#bounds.depth) return false;
      } else if (closing.has(byte)) this.#depth -= 1;
    }
    return this.#values <= this.#bounds.values;
  }

  #followText(byte: number): void {
    if (this.#escaped) this.#escaped = false;
    else if (byte === backslash) this.#escaped = true;
    else if (byte === quote) this.#inText = false;
  }
}
