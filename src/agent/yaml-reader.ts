import {
  type ErrorCode,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  type YAMLMap,
} from 'yaml';
import type { Mistake } from './configuration-error.ts';

/** Characters of a configuration file. */
const mostCharacters = 1_000_000;

/** The parser's own messages quote the file, which may contain a secret. */
const syntaxMistakes: { readonly [code in ErrorCode]?: string } = {
  BAD_INDENT: 'is indented wrongly, or a bracket is not closed',
  BLOCK_AS_IMPLICIT_KEY: 'is indented wrongly, or has a second setting: quote a value that contains ": "',
  DUPLICATE_KEY: 'repeats a setting',
  MISSING_CHAR: 'is indented wrongly, or lacks a closing quote or bracket, or a space after ":"',
  MULTIPLE_DOCS: 'begins a second document',
  TAB_AS_INDENT: 'is indented with a tab: use spaces',
};

/** Reads a YAML document and collects every mistake with its line. */
export class YamlReader {
  readonly mistakes: Mistake[] = [];
  /** Settings that were read, such as `service.url`. */
  readonly known = new Set<string>();
  readonly #lines = new LineCounter();
  readonly root: Section;

  constructor(text: string) {
    if (text.length > mostCharacters) this.mistakes.push({ line: 1, message: 'the file is too long' });
    const document = parseDocument(text.slice(0, mostCharacters), {
      lineCounter: this.#lines,
      // Anchors could multiply a small file.
      maxAliasCount: 0,
      logLevel: 'silent',
    } as Parameters<typeof parseDocument>[1]);
    // The parser does not recover: its other errors are on correct lines.
    for (const { pos, code } of document.errors.slice(0, 1)) {
      this.mistakes.push({ line: this.lineAt(pos[0]), message: syntaxMistakes[code] ?? 'is not valid YAML' });
    }
    const { contents } = document;
    if (contents !== null && !isMap(contents) && this.mistakes.length === 0) {
      this.mistakes.push({ line: 1, message: 'must contain settings such as `name: office`' });
    }
    this.root = new Section(this, isMap(contents) ? contents : undefined, 1, '');
  }

  lineAt(offset: number | undefined): number {
    return Math.max(1, this.#lines.linePos(offset ?? 0).line);
  }

  report(line: number, message: string): undefined {
    this.mistakes.push({ line, message });
    return undefined;
  }
}

type Read<T> = (text: string) => T | { readonly wrong: string };

/** The settings of one mapping. Reading a setting that is missing or wrong reports a mistake and returns undefined. */
export class Section {
  readonly #reader: YamlReader;
  readonly #pairs = new Map<string, Pair<Node, Node | null>>();
  readonly #used = new Set<string>();
  readonly line: number;
  /** Prefix of its settings in messages: `targets[0].`. */
  readonly #path: string;

  constructor(reader: YamlReader, map: YAMLMap | undefined, line: number, path: string) {
    this.#reader = reader;
    this.line = line;
    this.#path = path;
    for (const pair of (map?.items ?? []) as Pair<Node, Node | null>[]) {
      if (isScalar(pair.key)) this.#pairs.set(String(pair.key.value), pair);
    }
  }

  has(name: string): boolean {
    return this.#pairs.has(name);
  }

  /** Reports a mistake at the setting, or at the section if the setting is missing. */
  wrong(name: string, message: string): undefined {
    return this.#reader.report(this.#lineOf(name), `${this.#path}${name} ${message}`);
  }

  /** A required text. */
  required<T>(name: string, read: Read<T>): T | undefined {
    if (!this.has(name)) {
      this.#use(name);
      return this.wrong(name, 'is missing');
    }
    return this.#read(name, read);
  }

  /** An optional text, with its default. */
  optional<T>(name: string, read: Read<T>, otherwise: T): T | undefined {
    this.#use(name);
    return this.has(name) ? this.#read(name, read) : otherwise;
  }

  /** Undefined if it is missing. */
  maybe<T>(name: string, read: Read<T>): T | undefined {
    this.#use(name);
    return this.has(name) ? this.#read(name, read) : undefined;
  }

  /** False if it is missing. */
  flag(name: string): boolean {
    const read: Read<boolean> = text =>
      text === 'true' || text === 'false' ? text === 'true' : { wrong: 'must be true or false' };
    return this.optional(name, read, false) ?? false;
  }

  /** A nested mapping; an empty one if it is missing or wrong. */
  section(name: string): Section {
    this.#use(name);
    const value = this.#pairs.get(name)?.value;
    if (this.has(name) && !isMap(value)) this.wrong(name, 'must contain settings, indented below it');
    return new Section(
      this.#reader,
      isMap(value) ? value : undefined,
      this.#lineOf(name),
      `${this.#path}${name}.`,
    );
  }

  /** A list of mappings. */
  sections(name: string): Section[] {
    this.#use(name);
    const value = this.#pairs.get(name)?.value;
    if (!isSeq(value)) {
      this.wrong(name, this.has(name) ? 'must be a list' : 'is missing');
      return [];
    }
    return value.items.map((item, index) => {
      const line = this.#reader.lineAt((item as Node | null)?.range?.[0]);
      const path = `${this.#path}${name}[${index}]`;
      if (!isMap(item)) this.#reader.report(line, `${path} must contain settings`);
      return new Section(this.#reader, isMap(item) ? item : undefined, line, `${path}.`);
    });
  }

  /** A list of texts; empty if it is missing. */
  texts<T>(name: string, read: Read<T>): T[] {
    this.#use(name);
    if (!this.has(name)) return [];
    const value = this.#pairs.get(name)?.value;
    if (!isSeq(value)) {
      this.wrong(name, 'must be a list');
      return [];
    }
    return value.items.flatMap(item => {
      const result = isScalar(item) ? read(textOf(item)) : { wrong: 'must be a list of texts' };
      if (!isWrong(result)) return [result];
      this.#reader.report(
        this.#reader.lineAt((item as Node | null)?.range?.[0]),
        `${this.#path}${name} ${result.wrong}`,
      );
      return [];
    });
  }

  /** Reports every setting that nothing has read. */
  refuseOthers(): void {
    for (const name of this.#pairs.keys()) {
      if (this.#used.has(name)) continue;
      const near =
        [...this.#used].find(known => isNear(known, name)) ??
        [...this.#reader.known].find(known => known.endsWith(`.${name}`) && !known.includes('['));
      this.wrong(name, `is not a setting${near ? `: did you mean ${near}?` : ''}`);
    }
  }

  #read<T>(name: string, read: Read<T>): T | undefined {
    this.#use(name);
    const value = this.#pairs.get(name)?.value;
    if (isMap(value) || isSeq(value)) return this.wrong(name, 'must be text, not a list or settings');
    if (!isScalar(value) || value.value === null) return this.wrong(name, 'must have a value');
    const result = read(textOf(value));
    return isWrong(result) ? this.wrong(name, result.wrong) : result;
  }

  #use(name: string): void {
    this.#used.add(name);
    this.#reader.known.add(`${this.#path}${name}`);
  }

  #lineOf(name: string): number {
    const key = this.#pairs.get(name)?.key;
    return key?.range ? this.#reader.lineAt(key.range[0]) : this.line;
  }
}

/** The value as written: `1e3` or `0123` must not become another text. */
function textOf(node: { readonly value: unknown; readonly source?: string }): string {
  return typeof node.value === 'string' ? node.value : (node.source ?? String(node.value));
}

function isWrong(value: unknown): value is { readonly wrong: string } {
  return typeof value === 'object' && value !== null && 'wrong' in value;
}

/** Whether two names differ by one letter, or by a hyphen for an underscore. */
function isNear(known: string, given: string): boolean {
  if (Math.abs(known.length - given.length) > 1 || given.length > 40) return false;
  if (known.replaceAll('_', '-') === given.toLowerCase().replaceAll('_', '-')) return true;
  let start = 0;
  while (start < known.length && known[start] === given[start]) start++;
  const rest = (text: string, skip: number) => text.slice(start + skip);
  return (
    rest(known, 1) === rest(given, 1) ||
    rest(known, 1) === rest(given, 0) ||
    rest(known, 0) === rest(given, 1)
  );
}
