/** Limits on JSON, such as one line of it. */
export interface LineBounds {
  readonly bytes: number;
  /** Values of any type, including nested ones. Empty lists and objects count twice. */
  readonly values: number;
  /** Nesting of lists and objects. */
  readonly depth: number;
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [listOpens, listCloses, objectOpens, objectCloses] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Measures JSON as it arrives, before it is parsed. The cost of parsing depends more on the number of values than on
 * bytes: 4 MB of nested lists take most of a second, 4 MB of text some milliseconds.
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

  /** Adds the next piece. @returns whether the JSON so far is within the bounds */
  take(piece: Buffer): boolean {
    this.#bytes += piece.length;
    if (this.#bytes > this.#bounds.bytes) return false;
    let [values, depth, inText, escaped] = [this.#values, this.#depth, this.#inText, this.#escaped];
    const { depth: deepest } = this.#bounds;
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at];
      if (inText) {
        if (escaped) escaped = false;
        else if (byte === backslash) escaped = true;
        else if (byte === quote) inText = false;
      } else if (byte === quote) inText = true;
      else if (byte === comma) values += 1;
      else if (byte === listOpens || byte === objectOpens) {
        values += 1;
        depth += 1;
        if (depth > deepest) return false;
      } else if (byte === listCloses || byte === objectCloses) depth -= 1;
    }
    [this.#values, this.#depth, this.#inText, this.#escaped] = [values, depth, inText, escaped];
    return values <= this.#bounds.values;
  }
}

/** The value of a JSON text; undefined if it is not one. One beyond the bounds is not parsed. */
export function parseBounded(
  text: string,
  bounds: LineBounds,
): { readonly value: unknown } | 'too_large' | undefined {
  if (!new JsonMeter(bounds).take(Buffer.from(text))) return 'too_large';
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
