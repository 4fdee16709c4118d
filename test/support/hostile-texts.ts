/**
 * Building blocks of texts: white space, control characters, lone surrogates, punctuation, and what patterns and
 * parsers search for.
 */
const units = [
  ...[
    'a',
    'A',
    '0',
    ' ',
    '\t',
    '\n',
    '\r\n',
    '\u00a0',
    '\u0000',
    '\ud800',
    '\u0301',
    'é',
    'ß',
    '💥',
    '\u202e',
  ],
  ...[
    '.',
    '-',
    '_',
    ',',
    ':',
    ';',
    '/',
    '\\',
    '@',
    '#',
    '?',
    '&',
    '=',
    '%',
    '%2',
    '%25',
    '+',
    '*',
    '$',
    '^',
    '|',
    '~',
  ],
  ...[
    "'",
    '"',
    '`',
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    '<',
    '>',
    '<!--',
    '-->',
    '</',
    '://',
    '..',
    'a.',
    'a,',
    'aA',
    '0a',
  ],
];

/** Makes a match fail after it has consumed everything before. */
const ends = ['', '\u0000', '!', ' ', '\n', 'a'];

export interface HostileText {
  readonly name: string;
  /** @param length UTF-16 code units */
  readonly of: (length: number) => string;
}

export function repeated(unit: string, length: number): string {
  return unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
}

const shown = (text: string) => JSON.stringify(text);

/**
 * Texts of one unit, of two alternating ones, of two in sequence, and of one enclosed in another, each with an end that
 * does not match. The seed determines the pairs.
 */
export function hostileTexts(pairs: number, more: readonly string[] = [], seed = 1): HostileText[] {
  const all = [...units, ...more];
  const single = all.flatMap(unit =>
    ends.slice(0, 2).map(end => ({
      name: `${shown(unit)}^n ${shown(end)}`,
      of: (length: number) => repeated(unit, length - end.length) + end,
    })),
  );
  let state = seed;
  // A linear congruential generator (Numerical Recipes): the same texts in every run.
  const pick = <T>(list: readonly T[]): T => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return list[Math.floor((state / 2 ** 32) * list.length)]!;
  };
  const composed = Array.from({ length: pairs }, (_, index): HostileText => {
    const [a, b, end] = [pick(all), pick(all), pick(ends)];
    const [form, of] = forms[index % forms.length]!;
    return {
      name: `${form(shown(a), shown(b))} ${shown(end)}`,
      of: length => of(a, b, length - end.length) + end,
    };
  });
  return [...single, ...composed];
}

type Form = readonly [(a: string, b: string) => string, (a: string, b: string, length: number) => string];
const forms: readonly Form[] = [
  [(a, b) => `${a}^n ${b}^n`, (a, b, length) => repeated(a, length / 2) + repeated(b, length / 2)],
  [(a, b) => `(${a} ${b})^n`, (a, b, length) => repeated(a + b, length)],
  [
    (a, b) => `${a}^n ${b} ${a}^n`,
    (a, b, length) => repeated(a, length / 2) + b + repeated(a, length / 2 - b.length),
  ],
  [(a, b) => `(${a}^1000 ${b})^n`, (a, b, length) => repeated(repeated(a, 1_000) + b, length)],
];
