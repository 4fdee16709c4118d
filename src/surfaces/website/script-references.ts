import type { ImportMap } from './import-map.ts';
import { chunkFiles } from './webpack-chunks.ts';

/** How soon a script is loaded: with the one that names it, or later, if at all. */
export type Loading = 'at_once' | 'later';

export interface ScriptReference {
  readonly url: URL;
  readonly loading: Loading;
}

/** References of one script that are kept. */
const mostReferences = 300;

/** `import x from"./a.js"`, `export*from"./a.js"`, `import"./a.js"` and `import("./a.js")`, in any quotes. */
const imported =
  /(?<![\w$.])(?:from|import)\s{0,20}(\(\s{0,20}(?:\/\*[^*]{0,200}\*\/\s{0,20})?)?(["'`])([^"'`\\\s${}]{1,2000})\2/g;

/** Where a text ends that names a script. */
const ending = /\.m?js(\?[\w=&.-]{0,80})?(\\?)(["'`])/g;

/** Characters of such a text. */
const longestName = 1_000;

/** Before the URL of a worker or of a script that is loaded by URL. */
const loading =
  /(?:\bnew (?:Shared)?Worker\(|\bimportScripts\(|serviceWorker\.register\(|\bnew URL\()\s{0,20}$/;
const address = /^[^"'`\\\s${}]+$/;

/** A script in a folder. */
const inFolder = /^(?:\.{0,2}\/)?(?:[\w@~+%-][\w@.~+%-]{0,80}\/){1,8}[\w@.~+%[\]()-]{1,150}$/;

/** A script in the same folder, as Rollup and Vite name dynamic imports. */
const beside = /^\.\/[\w@.~+%-]{1,150}$/;

/**
 * The scripts that a script names: modules that it imports, chunks of bundlers (webpack, Next.js, Vite, Rollup, esbuild and others) and
 * workers. Files of bundlers are named relative to the public path, which is found by a folder that both URLs have.
 *
 * @param base URL of the script, or of the document for an inline script
 * @param isPage whether the text is inline in the page
 */
export function referencesIn(
  text: string,
  base: URL,
  imports: ImportMap,
  isPage = false,
): { readonly references: readonly ScriptReference[]; readonly isFull: boolean } {
  const found = new Map<string, ScriptReference>();
  let isFull = false;
  const add = (url: URL | null, loading: Loading) => {
    if (url === null) return;
    url.hash = '';
    if (url.href === base.href || found.has(url.href)) return;
    if (found.size < mostReferences) found.set(url.href, { url, loading });
    else isFull = true;
  };
  const resolve = (reference: string) => imports.resolveUrl(reference, base.href);
  const folders = foldersOf(base);
  // A text may repeat one reference a hundred thousand times.
  const known = new Set<string>();
  for (const [, call, , specifier = ''] of text.matchAll(imported)) {
    const loading = call === undefined ? 'at_once' : 'later';
    const key = `${loading} ${specifier}`;
    if (isFull || specifier.endsWith('/') || known.has(key)) continue;
    known.add(key);
    const isUrl = /^(?:\.{0,2}\/|https?:\/\/)/.test(specifier);
    add(isUrl ? resolve(specifier) : imports.resolve(specifier), loading);
  }
  const names = namesIn(text);
  for (const name of names.loaded) if (!isFull) add(resolve(name), 'later');
  for (const file of chunkFiles(text)) {
    const path = publicPath(file, folders);
    add(resolve(path ?? file), 'later');
  }
  for (const name of names.inFolders) {
    // Old browsers load another copy of everything.
    const path = isFull || /-legacy[-.]/.test(name) ? null : publicPath(name, folders, isPage);
    if (path !== null) add(resolve(path), 'later');
  }
  if (!isPage) for (const name of names.beside) if (!isFull) add(resolve(name), 'later');
  return { references: [...found.values()], isFull };
}

/** The texts that name scripts: loaded by URL, in a folder (also within a text), and in the same folder. */
function namesIn(text: string): Readonly<Record<'loaded' | 'inFolders' | 'beside', ReadonlySet<string>>> {
  const names = { loaded: new Set<string>(), inFolders: new Set<string>(), beside: new Set<string>() };
  for (const { 0: end, 1: query = '', 2: backslash, 3: quote, index } of text.matchAll(ending)) {
    const before = text.slice(Math.max(0, index - longestName), index);
    const start = before.lastIndexOf(quote!) + 1;
    if (start === 0) continue;
    const name = before.slice(start);
    const full = name + end.slice(0, end.length - backslash!.length - 1);
    if (
      backslash === '' &&
      address.test(name) &&
      loading.test(before.slice(Math.max(0, start - 60), start - 1))
    )
      names.loaded.add(full);
    if (query !== '') continue;
    if (inFolder.test(name)) names.inFolders.add(full);
    else if (backslash === '' && beside.test(name)) names.beside.add(full);
  }
  return names;
}

/** The folders of a script's URL, each with the path down to the one that contains it. */
function foldersOf({ pathname }: URL): ReadonlyMap<string, string> {
  const folders = new Map<string, string>();
  let at = 0;
  for (const folder of pathname.split('/').slice(1, -1)) {
    if (!folders.has(folder)) folders.set(folder, pathname.slice(0, at + 1));
    at += folder.length + 1;
  }
  return folders;
}

/**
 * The path of a file that is named relative to a public path: below the folder in which the script's own path has the file's first
 * folder. Null if it has none, so that not every text that looks like a file is requested.
 */
function publicPath(reference: string, folders: ReadonlyMap<string, string>, isPage = false): string | null {
  const path = reference.replace(/^\.?\//, '');
  if (reference.startsWith('../')) return null;
  const [first = ''] = path.split('/', 1);
  const above = folders.get(first);
  if (reference.startsWith('/')) return above === '/' || isPage ? reference : null;
  if (above !== undefined) return above + path;
  // Next.js names files in the page without the folder from which it serves them.
  return isPage && first === 'static' ? `/_next/${path}` : null;
}
