/** Pieces of any size that are accepted, for people who type and networks that split small bodies. */
const freePieces = 1_000;
/** Bytes that pieces beyond `freePieces` must have on average. A TCP segment carries hundreds. */
const bytesPerPiece = 32;

/**
 * Detects senders whose pieces cost more than their bytes: a piece of one byte takes as many microseconds, and as much
 * memory until it is copied, as one of thousands.
 */
export class PieceMeter {
  #bytes = 0;
  #pieces = 0;

  /** Counts the next piece. @returns whether to keep reading from its sender */
  take(length: number): boolean {
    this.#bytes += length;
    this.#pieces += 1;
    return this.#pieces <= freePieces + this.#bytes / bytesPerPiece;
  }
}
