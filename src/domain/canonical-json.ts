/**
 * JSON in one form only, as RFC 8785 has it: no white space, and the fields of an object in the order of their UTF-16 code
 * units. So that whoever has the same facts has the same bytes, and the same hash. Fields that are undefined are left out.
 * Numbers must be whole: how fractions are written is not our concern here. Throws a `TypeError` for anything else.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value === 'object') {
    const fields = fieldsOf(value).map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field)}`);
    return `{${fields.join(',')}}`;
  }
  throw new TypeError(`canonical JSON has no ${typeof value}, and of numbers only whole ones`);
}

function fieldsOf(value: object): [string, unknown][] {
  return Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1));
}

/**
 * The same, piece by piece, so that others get their turn in between. A field may be given as batches of items (`AsyncIterable` of
 * arrays), to which it is one array: of these each batch is a piece, and else each field.
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
