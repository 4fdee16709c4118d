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

/** Workers and scripts that are loaded by URL. */
const loaded =
  /(?:\bnew (?:Shared)?Worker\(|\bimportScripts\(|serviceWorker\.register\(|\bnew URL\()\s{0,20}(["'`])([^"'`\\\s${}]{1,1000}\.m?js(?:\?[\w=&.-]{0,80})?)\1/g;

/** Any text that names a script in a folder, also within a text. */
const named = /(["'`])((?:\.{0,2}\/)?(?:[\w@~+%-][\w@.~+%-]{0,80}\/){1,8}[\w@.~+%[\]()-]{1,150}\.m?js)\\?\1/g;

/** The same in its own folder, as Rollup and Vite name dynamic imports. */
const beside = /(["'`])(\.\/[\w@.~+%-]{1,150}\.m?js)\1/g;

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
  // A text may repeat one reference a hundred thousand times.
  const known = new Set<string>();
  const isNew = (kind: string, reference: string) => {
    const key = `${kind} ${reference}`;
    if (isFull || known.has(key)) return false;
    known.add(key);
    return true;
  };
  const resolve = (reference: string) => imports.resolveUrl(reference, base.href);
  const folders = foldersOf(base);
  for (const [, call, , specifier = ''] of text.matchAll(imported)) {
    const loading = call === undefined ? 'at_once' : 'later';
    if (specifier.endsWith('/') || !isNew(loading, specifier)) continue;
    const isUrl = /^(?:\.{0,2}\/|https?:\/\/)/.test(specifier);
    add(isUrl ? resolve(specifier) : imports.resolve(specifier), loading);
  }
  for (const [, , reference = ''] of text.matchAll(loaded))
    if (isNew('loaded', reference)) add(resolve(reference), 'later');
  for (const file of chunkFiles(text)) {
    const path = publicPath(file, folders);
    add(resolve(path ?? file), 'later');
  }
  for (const [, , reference = ''] of text.matchAll(named)) {
    // Old browsers load another copy of everything.
    if (/-legacy[-.]/.test(reference) || !isNew('named', reference)) continue;
    const path = publicPath(reference, folders, isPage);
    if (path !== null) add(resolve(path), 'later');
  }
  if (!isPage)
    for (const [, , reference = ''] of text.matchAll(beside))
      if (isNew('beside', reference)) add(resolve(reference), 'later');
  return { references: [...found.values()], isFull };
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
