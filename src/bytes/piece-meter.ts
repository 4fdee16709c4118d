/** Pieces that are free: somebody who types, or whose network cuts a small body up. */
const freePieces = 1_000;
/** Bytes that each piece above those must have on average. A TCP segment carries hundreds. */
const bytesPerPiece = 32;

/**
 * Tells ordinary senders from those whose pieces cost more than their bytes: every piece takes some microseconds, and memory
 * until it is copied, whether it is of one byte or of thousands.
 */
export class PieceMeter {
  #bytes = 0;
  #pieces = 0;

  /** Takes the next piece's length. @returns whether its sender may go on */
  take(length: number): boolean {
    this.#bytes += length;
    this.#pieces += 1;
    return this.#pieces <= freePieces + this.#bytes / bytesPerPiece;
  }
}
