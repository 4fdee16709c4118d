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
    const fields = Object.entries(value)
      .filter(([, field]) => field !== undefined)
      .sort(([one], [other]) => (one < other ? -1 : 1));
    return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field)}`).join(',')}}`;
  }
  throw new TypeError(`canonical JSON has no ${typeof value}, and of numbers only whole ones`);
}
