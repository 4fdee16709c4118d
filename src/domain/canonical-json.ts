/**
 * Serializes to canonical JSON (RFC 8785) for hashing: no white space, and fields sorted by UTF-16 code units. Undefined fields are
 * omitted. Throws a `TypeError` for fractions and values that JSON does not support.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value === 'object') {
    const fields = fieldsOf(value).map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field)}`);
    return `{${fields.join(',')}}`;
  }
  throw new TypeError(`not supported in canonical JSON: ${typeof value === 'number' ? value : typeof value}`);
}

function fieldsOf(value: object): [string, unknown][] {
  return Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1));
}

/**
 * Yields the same text in pieces, one for each field, to keep the event loop responsive. A field may be an `AsyncIterable` of arrays,
 * which is serialized as one array, with one piece for each batch.
 */
export async function* canonicalPieces(value: unknown): AsyncGenerator<string> {
  if (isBatches(value)) {
    let separator = '[';
    for await (const batch of value) {
      if (batch.length === 0) continue;
      yield separator + batch.map(canonicalJson).join(',');
      separator = ',';
    }
    yield separator === '[' ? '[]' : ']';
  } else if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    let separator = '{';
    for (const [name, field] of fieldsOf(value)) {
      yield `${separator}${JSON.stringify(name)}:`;
      yield* canonicalPieces(field);
      separator = ',';
    }
    yield separator === '{' ? '{}' : '}';
  } else yield canonicalJson(value);
}

function isBatches(value: unknown): value is AsyncIterable<readonly unknown[]> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
