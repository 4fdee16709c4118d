import { type TObject, type TProperties, type TSchema, Type } from 'typebox';

/**
 * PostgreSQL cannot store U+0000 or lone surrogates; the latter match no pattern (`http/validation.ts`). Patterns of the signed API
 * must also compile with RE2, for clients generated from the OpenAPI document.
 */
const storable = form('^[^\\x00]*$', 'must not contain U+0000');

/** Replaces characters that PostgreSQL cannot store. */
export function toStorable(text: string): string {
  return text.replaceAll('\u0000', '\ufffd').toWellFormed();
}

/** A pattern with its validation message (`http/validation.ts`). */
export function form(
  pattern: string,
  message: string,
): { readonly pattern: string; readonly 'x-form': string } {
  return { pattern, 'x-form': message };
}

/** Bounded, storable text that is not blank. */
export function text(maxLength: number, description?: string) {
  return Type.String({
    minLength: 1,
    maxLength,
    // Unambiguous at every character, to match in linear time.
    ...form('^\\s*[^\\s\\x00][^\\x00]*$', 'must not be blank or contain U+0000'),
    ...(description ? { description } : {}),
  });
}

/**
 * Control characters, bidirectional formatting, zero-width and other invisible characters, and line separators (UTR 36, section
 * 2.10), for use inside a character class.
 */
const invisible = '\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\u2800\\ud800-\\udfff';

/** A display name: one line without invisible characters. */
export function nameText(maxLength: number, description?: string) {
  return Type.String({
    minLength: 1,
    maxLength,
    ...form(
      `^\\s*[^\\s${invisible}][^${invisible}]*$`,
      'must be a single line that is not blank, without control or invisible characters',
    ),
    ...(description ? { description } : {}),
  });
}

/** Converts a name from an external source to a valid `nameText`; null if nothing is left. */
export function cleanName(name: string | undefined, maxLength: number): string | null {
  // Bounds the work, with room for invisible characters that are removed.
  const visible = name
    ?.slice(0, maxLength * 4)
    .replaceAll(new RegExp(`[${invisible}]+`, 'gu'), ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return visible ? Array.from(visible).slice(0, maxLength).join('') : null;
}

/** Bounded, storable text that may be blank, such as a password. */
export function opaqueText(maxLength: number, description?: string) {
  return Type.String({ minLength: 1, maxLength, ...storable, ...(description ? { description } : {}) });
}

/** An optional field. `null` is treated as omitted. */
export function optional<T extends TSchema>(schema: T, description?: string) {
  return Type.Optional(Type.Union([schema, Type.Null()], description ? { description } : {}));
}

/** A field that may be null. */
export function nullable<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()]);
}

/** A string enum. */
export function choice<const Values extends readonly string[]>(values: Values, description?: string) {
  return Type.Unsafe<Values[number]>({
    type: 'string',
    enum: [...values],
    ...(description ? { description } : {}),
  });
}

/** A comma-separated list of enum values, such as `critical,high`. */
export function several(values: readonly string[]) {
  const one = `(${values.join('|')})`;
  const message = `must be one or more of ${values.join(', ')}, separated by commas`;
  return Type.String({ maxLength: 200, ...form(`^${one}(,${one})*$`, message) });
}

export const Uuid = Type.String({
  format: 'uuid',
  maxLength: 36,
  ...form('^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$', 'must be a UUID'),
});

export const timestampMessage = 'must be ISO 8601 with a UTC offset, such as 2026-11-21T08:00:00Z';

/**
 * ISO 8601. Answers have milliseconds and a numeric UTC offset: `2026-11-21T08:00:00.000+00:00`. Limited to years that every database
 * supports and offsets that are in use, and without leap seconds, which JavaScript does not support.
 */
export const Timestamp = Type.String({
  format: 'date-time',
  maxLength: 40,
  ...form(
    '^[12][0-9]{3}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-5][0-9](\\.[0-9]{1,9})?(Z|[+-](0[0-9]|1[0-4]):[0-5][0-9])$',
    timestampMessage,
  ),
  examples: ['2026-11-21T08:00:00.000+00:00'],
});

/** A UTC day such as `2026-11-21`, in a year that every database and browser supports. */
export const Day = Type.String({
  format: 'date',
  maxLength: 10,
  ...form('^2[0-9]{3}-', 'must be a date such as 2026-11-21'),
  examples: ['2026-11-21'],
});

export const NullableTimestamp = nullable(Timestamp);
export const NullableUuid = nullable(Uuid);

/** An object without additional properties. */
export function closed<P extends TProperties>(properties: P, options: { description?: string } = {}) {
  return Type.Object(properties, { additionalProperties: false, ...options }) as TObject<P>;
}

/** Maximum page size of any list (specification, section 8). */
export const listLimit = 100;

/** Pagination parameters of every list. */
export const page = {
  limit: Type.Optional(
    Type.String({
      maxLength: 3,
      ...form('^([1-9][0-9]?|100)$', `must be a number from 1 to ${listLimit}`),
      description: `Page size, 1 to ${listLimit}. Default: ${listLimit}.`,
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 512,
      ...form('^[A-Za-z0-9_-]+$', 'must be a next_cursor of this list with the same filters'),
      description: 'The `next_cursor` of the previous page of this list, with the same filters.',
    }),
  ),
};

/** `{"<name>": [...], "next_cursor": null}`, newest first. */
export function list<N extends string, T extends TSchema>(name: N, item: T) {
  return closed({
    [name]: Type.Array(item, { maxItems: listLimit }),
    next_cursor: Type.Union([Type.String(), Type.Null()], {
      description: 'Opaque; null on the last page.',
    }),
  } as { [K in N]: ReturnType<typeof Type.Array<T>> } & {
    next_cursor: ReturnType<
      typeof Type.Union<[ReturnType<typeof Type.String>, ReturnType<typeof Type.Null>]>
    >;
  });
}
