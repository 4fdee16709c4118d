import { type TObject, type TProperties, type TSchema, Type } from 'typebox';

/**
 * Any text without U+0000, which PostgreSQL cannot store. It cannot store lone surrogates either: they match no pattern at all
 * (`http/validation.ts`). Patterns of the signed API are written so that RE2 compiles them too, since clients are generated from
 * the OpenAPI document.
 */
const storable = form('^[^\\x00]*$', 'must not contain U+0000');

/** The text with what PostgreSQL cannot store replaced. */
export function toStorable(text: string): string {
  return text.replaceAll('\u0000', '\ufffd').toWellFormed();
}

/** A pattern, and what it asks for in words, which stand in the answer to a text that does not match (`http/validation.ts`). */
export function form(
  pattern: string,
  words: string,
): { readonly pattern: string; readonly 'x-form': string } {
  return { pattern, 'x-form': words };
}

/** Bounded, storable text with at least one character that is not white space. */
export function text(maxLength: number, description?: string) {
  return Type.String({
    minLength: 1,
    maxLength,
    // White space, then something else: at no character is there a choice, so that no text takes two attempts.
    ...form('^\\s*[^\\s\\x00][^\\x00]*$', 'must not be blank, nor contain U+0000'),
    ...(description ? { description } : {}),
  });
}

/**
 * Characters that change how the text around them is shown, or show nothing: controls, bidirectional formatting, zero-width
 * and other invisible characters, line separators (UTR 36, section 2.10). As the inside of a character class.
 */
const invisible = '\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\u2800\\ud800-\\udfff';

/** The name of a person, an organization or a thing, as others see it: one line without invisible characters. */
export function nameText(maxLength: number, description?: string) {
  return Type.String({
    minLength: 1,
    maxLength,
    ...form(
      `^\\s*[^\\s${invisible}][^${invisible}]*$`,
      'must be one line that is not blank, without control characters or invisible ones',
    ),
    ...(description ? { description } : {}),
  });
}

/** A name that somebody else wrote, as `nameText` takes it. Null where nothing is left of it. */
export function cleanName(name: string | undefined, maxLength: number): string | null {
  // Four times as much as is kept: what is cut off here would only matter behind as many invisible characters.
  const visible = name
    ?.slice(0, maxLength * 4)
    .replaceAll(new RegExp(`[${invisible}]+`, 'gu'), ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return visible ? Array.from(visible).slice(0, maxLength).join('') : null;
}

/** Bounded, storable text that may be empty or blank, such as a password. */
export function opaqueText(maxLength: number, description?: string) {
  return Type.String({ minLength: 1, maxLength, ...storable, ...(description ? { description } : {}) });
}

/** A field that may be left out. `null` counts as left out. */
export function optional<T extends TSchema>(schema: T, description?: string) {
  return Type.Optional(Type.Union([schema, Type.Null()], description ? { description } : {}));
}

/** One of a few words. */
export function choice<const Values extends readonly string[]>(values: Values, description?: string) {
  return Type.Unsafe<Values[number]>({
    type: 'string',
    enum: [...values],
    ...(description ? { description } : {}),
  });
}

/** Several of a few words, joined by commas: `critical,high`. */
export function several(values: readonly string[]) {
  const one = `(${values.join('|')})`;
  const words = `must be one or several of ${values.join(', ')}, joined by commas`;
  return Type.String({ maxLength: 200, ...form(`^${one}(,${one})*$`, words) });
}

export const Uuid = Type.String({
  format: 'uuid',
  maxLength: 36,
  ...form('^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$', 'must be a UUID'),
});

/** What a time is to be, in words. */
export const momentWords = 'must be ISO 8601 with an offset, such as 2026-11-21T08:00:00Z';

/**
 * ISO 8601, as we write it with milliseconds and a numeric UTC offset: `2026-11-21T08:00:00.000+00:00`. Of a year that every
 * database has, and without leap seconds, which JavaScript's clock does not know.
 */
export const Timestamp = Type.String({
  format: 'date-time',
  maxLength: 40,
  ...form(
    '^[12][0-9]{3}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-5][0-9](\\.[0-9]{1,9})?(Z|[+-][0-9]{2}:[0-9]{2})$',
    momentWords,
  ),
  examples: ['2026-11-21T08:00:00.000+00:00'],
});

/** A day in UTC, of a year that every database and browser has: `2026-11-21`. */
export const Day = Type.String({
  format: 'date',
  maxLength: 10,
  ...form('^2[0-9]{3}-', 'must be a day such as 2026-11-21'),
  examples: ['2026-11-21'],
});

export const NullableTimestamp = Type.Union([Timestamp, Type.Null()]);
export const NullableUuid = Type.Union([Uuid, Type.Null()]);

/** An object that refuses fields it does not name. */
export function closed<P extends TProperties>(properties: P, options: { description?: string } = {}) {
  return Type.Object(properties, { additionalProperties: false, ...options }) as TObject<P>;
}

/** The largest page of any list (specification, section 8). */
export const listLimit = 100;

/** Query parameters that every list takes. */
export const page = {
  limit: Type.Optional(
    Type.String({
      maxLength: 3,
      ...form('^([1-9][0-9]?|100)$', `must be a number from 1 to ${listLimit}`),
      description: `Rows to return, 1 to ${listLimit}. Default ${listLimit}.`,
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 512,
      ...form('^[A-Za-z0-9_-]+$', 'must be the next_cursor of this list with the same filters'),
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
