import { librariesInScript } from './find-in-script.ts';
import { librariesInUrl, type NamedLibrary } from './find-in-url.ts';
import { libraryNamed } from './known-libraries.ts';

/** Names of PHP's packages that contain a library of the same name. */
const phpVendors = /^(?:bower-asset|ckeditor|components|datatables|moment|npm-asset|select2|tinymce|twbs)\//;
const release = String.raw`\d{1,4}(?:\.\d{1,5}){1,3}(?:-(?:alpha|beta|rc|next|canary)[.\d]{0,8})?`;
const isRelease = new RegExp(`^v?(${release})$`);
/** An entry of yarn.lock: `"jquery@npm:^3.4.0":` with its version in the next line. */
const yarnEntry = new RegExp(
  String.raw`^"?((?:@[\w.-]{1,60}\/)?[\w.-]{1,80})@[^\n]{1,300}:\r?\n +version:? "?(${release})"?\r?$`,
  'gm',
);
/** An entry of pnpm-lock.yaml: `jquery@3.4.1:`, formerly `/jquery/3.4.1:`. */
const pnpmEntry = new RegExp(
  String.raw`^ {2}['"]?\/?((?:@[\w.-]{1,60}\/)?[\w.-]{1,80})[@/](${release})[^\n:]{0,200}['"]?:\r?$`,
  'gm',
);
/** A file of a package in pnpm's store, as source maps name it. */
const storeFile = new RegExp(String.raw`\.pnpm\/((?:@[\w.-]{1,60}\+)?[\w.-]{1,80})@(${release})[_(/]`, 'g');

type Json = Readonly<Record<string, unknown>>;

/**
 * Known libraries in a text: a script, an import map, a source map, a package.json (itself, not what it depends
 * on), or a lock file of npm, Yarn, pnpm or Composer. Each version once.
 */
export function librariesIn(text: string): readonly NamedLibrary[] {
  const found = new Map<string, NamedLibrary>();
  for (const library of ofText(text)) found.set(`${library.library} ${library.version}`, library);
  return [...found.values()];
}

function ofText(text: string): readonly NamedLibrary[] {
  const json = /^\s{0,99}\{/.test(text) ? parsed(text) : undefined;
  if (json !== undefined) return [...ofJson(json)];
  if (/^lockfileVersion:/m.test(text)) return entries(text, pnpmEntry);
  if (/^# yarn lockfile v1|^__metadata:/m.test(text)) return entries(text, yarnEntry);
  return librariesInScript(text).libraries;
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

const named = (name: unknown, version: unknown): readonly NamedLibrary[] => {
  const library = typeof name === 'string' ? libraryNamed(name.toLowerCase()) : undefined;
  const plain = typeof version === 'string' ? isRelease.exec(version)?.[1] : undefined;
  return library === undefined || plain === undefined ? [] : [{ library, version: plain }];
};

const entries = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].flatMap(([, name, version]) => named(name?.replace('+', '/'), version));

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;
const objects = (value: unknown): readonly (readonly [string, Json])[] =>
  isObject(value) ? Object.entries(value).filter((entry): entry is [string, Json] => isObject(entry[1])) : [];
const texts = (value: unknown): readonly string[] =>
  isObject(value) ? Object.values(value).filter(each => typeof each === 'string') : [];

function* ofJson(json: Json): Generator<NamedLibrary> {
  yield* named(json.name, json.version);
  if ('imports' in json) yield* ofImportMap(json);
  if (Array.isArray(json.sources)) yield* ofSourceMap(json);
  if ('lockfileVersion' in json) yield* ofNpmLock(json);
  if ('content-hash' in json) yield* ofComposerLock(json);
}

function* ofImportMap({ imports, scopes }: Json): Generator<NamedLibrary> {
  const urls = [imports, ...objects(scopes).map(([, scope]) => scope)].flatMap(texts);
  for (const url of urls) {
    const absolute = url.length < 2_000 ? resolved(url) : undefined;
    if (absolute !== undefined) yield* librariesInUrl(absolute);
  }
}

function resolved(url: string): string | undefined {
  try {
    return new URL(url, 'https://importing.invalid/').href;
  } catch {
    return undefined;
  }
}

function* ofSourceMap({ sources, sourcesContent }: Json): Generator<NamedLibrary> {
  for (const source of texts(sources)) yield* entries(source, storeFile);
  for (const content of texts(sourcesContent)) {
    const own = /^\s{0,99}\{/.test(content) ? parsed(content) : undefined;
    if (own === undefined) yield* librariesInScript(content).libraries;
    else yield* named(own.name, own.version);
  }
}

function* ofNpmLock({ packages, dependencies }: Json): Generator<NamedLibrary> {
  for (const [path, { version }] of objects(packages))
    yield* named(path.split('node_modules/').at(-1), version);
  // Lock files of npm 6 nest the dependencies of dependencies.
  const open = [...objects(dependencies)];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [name, { version, dependencies: further }] = next;
    yield* named(name, version);
    open.push(...objects(further));
  }
}

function* ofComposerLock(json: Json): Generator<NamedLibrary> {
  for (const list of [json.packages, json['packages-dev']]) {
    for (const [, { name, version }] of objects(list)) {
      if (typeof name === 'string' && phpVendors.test(name)) yield* named(name.split('/')[1], version);
    }
  }
}
