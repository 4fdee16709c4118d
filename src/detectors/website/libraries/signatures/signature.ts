/** A pattern that recognizes a library in a script's text. */
export interface Signature {
  readonly library: string;
  /** Literal text from which the pattern is tried. */
  readonly anchor: string;
  /**
   * Sticky, from the anchor on, with bounded quantifiers, also in lookbehinds. Group `version` is the
   * version, groups `major`, `minor` and `patch` are its parts, group `revision` is that of three.js, group
   * `variable` is the name of the variable that contains the version, or groups `module` and `key` are the number of
   * webpack's module that exports it, and the name.
   */
  readonly pattern: RegExp;
}

/** A plain release. With more text after it, it is a custom build. */
export const version = String.raw`v?(?<version>\d{1,4}(?:\.\d{1,5}){1,3}(?:-?(?:alpha|beta|rc|b|pre|next|canary)[.-]?\d{0,4}(?:\.\d{1,4})?)?)(?![\w+-]|\.\d)`;
/** Newer minifiers also write texts in backticks. */
export const quote = `["'\`]`;
export const inQuotes = `${quote}${version}${quote}`;
/** A name that a minifier chose. */
export const name = String.raw`[\w$]{1,30}`;
/** Between two declarations or assignments, which minifiers join in different ways. */
export const next = String.raw`[,;]\s{0,9}(?:var |let |const )?`;
export const orVariable = `(?:${inQuotes}|(?<variable>${name}))`;

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** A signature that starts with the anchor. */
export function at(library: string, anchor: string, rest: string, before = ''): Signature {
  const lookbehind = before === '' ? '' : `(?<=${before})`;
  return { library, anchor, pattern: new RegExp(lookbehind + escaped(anchor) + rest, 'y') };
}

type Anchors = Readonly<Record<string, readonly string[]>>;

/** The same rest for many libraries. */
export const listed = (lists: Anchors, rest: string, before?: string): readonly Signature[] =>
  Object.entries(lists).flatMap(([library, anchors]) =>
    anchors.map(anchor => at(library, anchor, rest, before)),
  );
