import type { Shape } from './capture-shape.ts';
import { repeated } from './hostile-texts.ts';

/** A text or a list in a capture. */
export interface Place {
  /** The same for all entries of a list: `page.value.headers[].1`. */
  readonly name: string;
  readonly shape: Shape;
  readonly path: readonly string[];
  readonly value: unknown;
  /** The first of its pair, such as the name of a header field. */
  readonly beside: string;
}

const isPlace = ({ is }: Shape) => is === 'text' || is === 'list' || is === 'record';
const within = (name: string, field: string) => (name === '' ? field : `${name}.${field}`);

/** The names of all texts and lists that a capture of a shape may have. */
export function namesOf(shape: Shape, name = ''): readonly string[] {
  const own = isPlace(shape) ? [name] : [];
  if ('of' in shape) return [...own, ...namesOf(shape.of, `${name}[]`)];
  if (shape.is !== 'object') return own;
  return [...shape.fields].flatMap(([field, of]) => namesOf(of, within(name, field)));
}

/**
 * The texts and lists of a capture, including those that are null, and the reason for which any part may be missing.
 */
export function* placesIn(
  shape: Shape,
  value: unknown,
  name = '',
  path: Place['path'] = [],
  beside = '',
): Generator<Place> {
  if (shape.is === 'text') yield { name, shape, path, value: value ?? '', beside };
  if (value === null || value === undefined) return;
  if ('of' in shape) {
    yield { name, shape, path, value, beside };
    for (const [at, entry] of Object.entries(value))
      yield* placesIn(shape.of, entry, `${name}[]`, [...path, at], beside);
  }
  if (shape.is !== 'object') return;
  const first = Array.isArray(value) ? `${value[0]}` : beside;
  for (const [field, of] of shape.fields)
    yield* placesIn(of, (value as Fields)[field], within(name, field), [...path, field], first);
}

type Fields = Readonly<Record<string, unknown>>;

/** The capture with a different value at a place. Objects that are not on the path stay the same. */
export function withAt(capture: unknown, [step, ...rest]: Place['path'], value: unknown): unknown {
  if (step === undefined) return value;
  // A part with a reason was not assessed.
  if (step === 'reason' && 'assessed' in (capture as object)) return { assessed: false, reason: value };
  const copy = Array.isArray(capture) ? [...capture] : { ...(capture as object) };
  (copy as Record<string, unknown>)[step] = withAt((capture as Fields)[step], rest, value);
  return copy;
}

/** A text that is parsed as a URL must be one. */
const example = 'https://portal.example.com/';

/** The capture with an entry in each empty list, and everything assessed. */
export function filled(shape: Shape, value: unknown): unknown {
  if (shape.is === 'text') return value ?? example;
  if (shape.is === 'other') return value ?? shape.example;
  if (shape.is === 'list') {
    const entries = (value ?? []) as readonly unknown[];
    return (entries.length > 0 ? entries : [undefined]).map(entry => filled(shape.of, entry));
  }
  const fields = Object.entries(value ?? {});
  if ('of' in shape)
    return Object.fromEntries(
      (fields.length > 0 ? fields : [[example]]).map(([name, one]) => [name, filled(shape.of, one)]),
    );
  const known = {
    ...Object.fromEntries(fields),
    ...(shape.fields.has('assessed') ? { assessed: true } : {}),
  } as Fields;
  const all = [...shape.fields].map(([name, of]) => [name, filled(of, known[name])] as const);
  return shape.fields.has('0') ? all.map(([, entry]) => entry) : Object.fromEntries(all);
}

/** Additions to a text, so that code that reads its beginning continues: one long unit, then many. */
export const texts: Readonly<Record<string, (own: string, length: number) => string>> = {
  'a long word and many distinct ones': (own, length) =>
    `${own}${repeated('ab', length / 2)}${repeated(own === '' ? 'a' : own, length / 2)}`,
  'much space and many words': (own, length) =>
    `${own}${repeated(' ', length / 2)}${repeated(' a1', length / 2)}`,
  'a long word and many marks': (own, length) =>
    `${own}${repeated('a.', length / 2)}${repeated('; a="<a b=,\n/', length / 2)}`,
};

/** Many entries of a list, either all equal, or each with its own number in every text. */
export function entriesOf({ shape, value }: Place, count: number, areAlike: boolean): unknown {
  if (!('of' in shape)) return value;
  const own = Object.entries(value as object);
  if (own.length === 0) return value;
  const many = Array.from({ length: count }, (_, at) => {
    const [name, entry] = own[at % own.length]!;
    return [`${name}${at}`, areAlike || at < own.length ? entry : numbered(shape.of, entry, at)] as const;
  });
  if (shape.is === 'record') return { ...(value as object), ...Object.fromEntries(many) };
  return many.map(([, entry]) => entry);
}

function numbered(shape: Shape, value: unknown, number: number): unknown {
  if (value === null || value === undefined || shape.is === 'other') return value;
  if (shape.is === 'text') return `${value}${number}`;
  const of = (field: string) => (shape.is === 'object' ? shape.fields.get(field)! : shape.of);
  if (Array.isArray(value)) return value.map((entry, at) => numbered(of(`${at}`), entry, number));
  const fields = Object.entries(value).map(
    ([field, entry]) => [field, numbered(of(field), entry, number)] as const,
  );
  return Object.fromEntries(fields);
}

/** The capture with many entries in each of its lists. */
export function grown(shape: Shape, value: unknown, count: (name: string) => number): unknown {
  const lists = [...placesIn(shape, value)].filter(
    place => 'of' in place.shape && !place.name.includes('[]'),
  );
  return lists.reduce(
    (whole, place) => withAt(whole, place.path, entriesOf(place, count(place.name), false)),
    value,
  );
}
