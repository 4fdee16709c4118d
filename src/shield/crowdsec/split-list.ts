/** An answer that is not a list in JSON, or exceeds its bounds. */
export class ListError extends Error {
  override readonly name = 'ListError';
}

export interface ListBounds {
  readonly bytes: number;
  readonly entries: number;
  /** Bytes of an entry; larger ones are left out. */
  readonly entryBytes: number;
  /** Lists and objects in an entry; entries with more are left out, since each takes more memory than its bytes. */
  readonly entryParts: number;
  /** Lists and objects that are in each other. */
  readonly depth: number;
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * The entries of a list in JSON, each as soon as it has arrived, so that only one is in memory: undefined for one that exceeds its bounds
 * or is no object. `null` is an empty list.
 *
 * @throws ListError, and the error of the pieces
 */
export async function* entriesIn(
  pieces: AsyncIterable<Uint8Array>,
  bounds: ListBounds,
): AsyncGenerator<object | undefined, void> {
  const entry = new Entry(bounds.entryBytes);
  let [bytes, entries, parts, depth] = [0, 0, 0, 0];
  let [isText, isEscaped, hasEnded] = [false, false, false];
  for await (const piece of pieces) {
    bytes += piece.length;
    if (bytes > bounds.bytes) throw new ListError(`is larger than ${bounds.bytes / 1_000_000} MB`);
    let from = 0;
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at];
      if (isText) {
        if (isEscaped) isEscaped = false;
        else if (byte === backslash) isEscaped = true;
        else if (byte === quote) isText = false;
        continue;
      }
      if (byte === quote) isText = true;
      else if (byte === openList || byte === openObject) {
        depth += 1;
        parts += 1;
        if (depth > bounds.depth) throw new ListError('is nested too deeply');
        if (depth > 1) continue;
        entry.add(piece.subarray(from, at));
        from = at + 1;
        parts = 0;
        if (byte === openObject || hasEnded || entry.take() !== '') throw notList();
      } else if (byte === closeList || byte === closeObject || (byte === comma && depth === 1)) {
        if (byte !== comma) depth -= 1;
        hasEnded = depth === 0;
        if (depth > 0 && byte !== comma) continue;
        entry.add(piece.subarray(from, at));
        from = at + 1;
        const text = entry.take();
        if (text !== '') {
          entries += 1;
          if (entries > bounds.entries) throw new ListError(`has more than ${bounds.entries} entries`);
          yield text?.startsWith('{') && parts <= bounds.entryParts ? parsed(text) : undefined;
        }
        parts = 0;
      }
    }
    entry.add(piece.subarray(from));
  }
  if (entry.take() !== (hasEnded ? '' : 'null')) throw notList();
}

/** The bytes of one entry, up to a bound: in one buffer, since each of many small pieces would need more than its bytes. */
class Entry {
  readonly #buffer: Buffer;
  #bytes = 0;

  constructor(mostBytes: number) {
    this.#buffer = Buffer.alloc(mostBytes);
  }

  add(piece: Uint8Array): void {
    if (this.#bytes + piece.length <= this.#buffer.length) this.#buffer.set(piece, this.#bytes);
    this.#bytes += piece.length;
  }

  /** The text of the entry, without the space around it; undefined if it is too large. */
  take(): string | undefined {
    const bytes = this.#bytes;
    this.#bytes = 0;
    return bytes > this.#buffer.length ? undefined : this.#buffer.toString('utf8', 0, bytes).trim();
  }
}

function parsed(text: string): object {
  try {
    return JSON.parse(text);
  } catch {
    throw notList();
  }
}

const notList = () => new ListError('is incomplete or not JSON');
