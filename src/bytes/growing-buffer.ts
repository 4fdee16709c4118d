/**
 * Collects bytes that arrive in chunks: each is copied a few times at most, and small chunks add no memory overhead.
 */
export class GrowingBuffer {
  #bytes = Buffer.alloc(0);
  #length = 0;

  /** All bytes so far. Valid until the next change. */
  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  append(piece: Buffer): void {
    const length = this.#length + piece.length;
    if (length > this.#bytes.length) {
      const larger = Buffer.alloc(Math.max(length, 2 * this.#bytes.length));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    piece.copy(this.#bytes, this.#length);
    this.#length = length;
  }

  /** Removes and returns the first `count` bytes. */
  take(count: number): Buffer {
    const taken = Buffer.from(this.#bytes.subarray(0, count));
    this.#bytes.copyWithin(0, count, this.#length);
    this.#length -= count;
    return taken;
  }
}
