/**
 * Where webpack's runtime names the files of its chunks: a function of the chunk's number that joins texts and entries of
 * tables, `e=>"js/"+({7:"admin"}[e]||e)+"."+{7:"3f9a1c"}[e]+".js"`, after conditions for single numbers.
 */
const start =
  /\.(?:u|k)\s{0,4}=\s{0,4}(?:function\s{0,4}\(\s{0,4}([\w$]{1,40})\s{0,4}\)\s{0,8}\{\s{0,8}(?:\/\/[^\n]{0,200}\s{1,40}){0,3}return\s{0,4}|\(?\s{0,4}([\w$]{1,40})\s{0,4}\)?\s{0,4}=>\s{0,4}(?:\{\s{0,8}(?:\/\/[^\n]{0,200}\s{1,40}){0,3}return\s{0,4})?)/g;

/** Characters of such a function that are read, and files that are named. */
const longest = 100_000;
const mostFiles = 500;

type Term = string | { readonly table: ReadonlyMap<string, string>; readonly orNumber: boolean } | 'number';

/** The files of the chunks that a script of webpack's runtime names, relative to its public path. */
export function chunkFiles(text: string): string[] {
  const files = new Set<string>();
  for (const match of text.matchAll(start)) {
    const reader = new Reader(text.slice(match.index + match[0].length, match.index + longest));
    for (const file of reader.files(match[1] ?? match[2]!)) if (files.size < mostFiles) files.add(file);
  }
  return [...files].filter(file => /\.m?js$/.test(file));
}

/** `7===e?` or `e==="7"?`. */
const condition =
  /\s{0,8}(?:(?:\d{1,9}|"[\w$/.-]{1,80}")\s{0,4}===?\s{0,4}([\w$]{1,40})|([\w$]{1,40})\s{0,4}===?\s{0,4}(?:\d{1,9}|"[\w$/.-]{1,80}"))\s{0,4}\?\s{0,8}/y;

/** Reads one expression from left to right, and stops at what it does not know. */
class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  files(parameter: string): string[] {
    const found: string[] = [];
    // 7===e?"js/admin.js":…
    for (let single = this.#single(parameter); single !== null; single = this.#single(parameter))
      found.push(single);
    return [...found, ...namesOf(this.#terms(parameter))];
  }

  #single(parameter: string): string | null {
    const before = this.#at;
    const [, afterNumber, beforeNumber] = this.#take(condition) ?? [];
    if ((afterNumber ?? beforeNumber) === parameter) {
      const names = namesOf(this.#terms(parameter));
      if (names.length === 1 && this.#take(/\s{0,8}:\s{0,8}/y) !== null) return names[0]!;
    }
    this.#at = before;
    return null;
  }

  #terms(parameter: string): Term[] {
    const terms: Term[] = [];
    do {
      const term = this.#term(parameter);
      if (term === null) return [];
      terms.push(term);
    } while (this.#take(/\s{0,8}\+\s{0,8}/y) !== null);
    return terms;
  }

  #term(parameter: string): Term | null {
    const text = this.#take(/"([^"\\\n]{0,300})"|'([^'\\\n]{0,300})'|`([^`\\$\n]{0,300})`/y);
    if (text !== null) return text[1] ?? text[2] ?? text[3] ?? '';
    if (this.#takeName(/([\w$]{1,40})/y, parameter)) return 'number';
    const isGrouped = this.#take(/\(\s{0,8}/y) !== null;
    const table = this.#table();
    if (table === null || !this.#takeName(/\s{0,8}\[([\w$]{1,40})\]/y, parameter)) return null;
    const orNumber = this.#takeName(/\s{0,8}(?:\|\||\?\?)\s{0,8}([\w$]{1,40})/y, parameter);
    if (isGrouped && this.#take(/\s{0,8}\)/y) === null) return null;
    return { table, orNumber };
  }

  /** Takes a pattern whose group is the name of the parameter. */
  #takeName(pattern: RegExp, parameter: string): boolean {
    const before = this.#at;
    if (this.#take(pattern)?.[1] === parameter) return true;
    this.#at = before;
    return false;
  }

  #table(): ReadonlyMap<string, string> | null {
    if (this.#take(/\{/y) === null) return null;
    const table = new Map<string, string>();
    const entry =
      /\s{0,20}(?:"([^"\\]{1,120})"|'([^'\\]{1,120})'|([\w$]{1,80}))\s{0,4}:\s{0,4}["'`]([^"'`\\$]{0,200})["'`]\s{0,20},?/y;
    for (let next = this.#take(entry); next !== null; next = this.#take(entry))
      table.set(next[1] ?? next[2] ?? next[3]!, next[4]!);
    return this.#take(/\s{0,20}\}/y) === null ? null : table;
  }

  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match !== null) this.#at = pattern.lastIndex;
    return match;
  }
}

const mostTerms = 20;

/** The names for each number that a table of the terms has. */
function namesOf(terms: readonly Term[]): string[] {
  // Bundlers write five or six. Names of a hostile script could take all memory.
  if (terms.length > mostTerms) return [];
  const tables = terms.flatMap(term => (typeof term === 'string' ? [] : [term]));
  if (tables.length === 0) return terms.length > 0 && !terms.includes('number') ? [terms.join('')] : [];
  // A chunk is in every table that has no other name for it.
  const numbers = new Set(tables.flatMap(({ table }) => [...table.keys()]));
  return [...numbers].slice(0, mostFiles).flatMap(number => {
    const parts = terms.map(term => {
      if (term === 'number') return number;
      if (typeof term === 'string') return term;
      return term.table.get(number) ?? (term.orNumber ? number : null);
    });
    return parts.includes(null) ? [] : [parts.join('')];
  });
}
