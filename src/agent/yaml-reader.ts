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

  /** A list of mappings, empty if it has no value. Undefined if it is missing, or none of its items is a mapping. */
  sections(name: string): Section[] | undefined {
    this.#use(name);
    if (!this.has(name)) return this.wrong(name, 'is missing');
    const value = this.#pairs.get(name)!.value;
    if (isScalar(value) && value.value === null) return [];
    if (!isSeq(value)) return this.wrong(name, 'must be a list');
    const sections = value.items.flatMap((item, index) => {
      const line = this.#reader.lineAt((item as Node | null)?.range?.[0]);
      const path = `${this.#path}${name}[${index}]`;
      if (isMap(item)) return [new Section(this.#reader, item, line, `${path}.`)];
      this.#reader.report(line, `${path} must contain settings`);
      return [];
    });
    return sections.length > 0 || value.items.length === 0 ? sections : undefined;
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

  /** Accepts settings that nothing reads. */
  accept(names: readonly string[]): void {
    for (const name of names) this.#use(name);
  }

  /** Reports every setting that nothing has read. */
  refuseOthers(): void {
    for (const name of this.#pairs.keys()) {
      if (this.#used.has(name)) continue;
      const near =
        nearest([...this.#used], name) ??
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

/** The name that was probably meant: with at most two letters wrong, missing, added or swapped, or one in a short name. */
function nearest(known: readonly string[], given: string): string | undefined {
  if (given.length > 40) return undefined;
  const most = given.length > 4 ? 2 : 1;
  const form = (name: string) => name.toLowerCase().replaceAll('-', '_');
  const [best] = known
    .map(name => ({ name, edits: editsBetween(form(name), form(given)) }))
    .sort((a, b) => a.edits - b.edits);
  return best && best.edits <= most ? best.name : undefined;
}

/** Letters to change, add, remove or swap with the next one to make one text from the other. */
function editsBetween(one: string, other: string): number {
  const rows = [Array.from({ length: other.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= one.length; row++) {
    const edits = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      edits.push(
        Math.min(
          rows[row - 1]![column]! + 1,
          edits[column - 1]! + 1,
          rows[row - 1]![column - 1]! + (isSame ? 0 : 1),
          row > 1 && column > 1 && isSwapped ? rows[row - 2]![column - 2]! + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    rows.push(edits);
  }
  return rows[one.length]![other.length]!;
}
