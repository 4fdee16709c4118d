import { parseUrl } from '../../captures/page-addresses.ts';
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
export function referencesIn(text: string, base: URL, imports: ImportMap, isPage = false): ScriptReference[] {
  const found = new Map<string, ScriptReference>();
  const add = (url: URL | null, loading: Loading) => {
    if (url === null || found.size >= mostReferences) return;
    url.hash = '';
    if (url.href !== base.href && !found.has(url.href)) found.set(url.href, { url, loading });
  };
  for (const [, call, , specifier] of text.matchAll(imported)) {
    if (specifier!.endsWith('/')) continue;
    const isUrl = /^(?:\.{0,2}\/|https?:\/\/)/.test(specifier!);
    const url = isUrl ? parseUrl(specifier!, base.href) : imports.resolve(specifier!);
    add(url, call === undefined ? 'at_once' : 'later');
  }
  for (const [, , reference] of text.matchAll(loaded)) add(parseUrl(reference!, base.href), 'later');
  for (const file of chunkFiles(text)) add(publicUrl(file, base) ?? parseUrl(file, base.href), 'later');
  for (const [, , reference] of text.matchAll(named)) {
    // Old browsers load another copy of everything.
    if (!/-legacy[-.]/.test(reference!)) add(publicUrl(reference!, base, isPage), 'later');
  }
  if (!isPage)
    for (const [, , reference] of text.matchAll(beside)) add(parseUrl(reference!, base.href), 'later');
  return [...found.values()];
}

/**
 * The URL of a file that is named relative to a public path: below the folder in which the script's own path has the file's first
 * folder. Null if it has none, so that not every text that looks like a file is requested.
 */
function publicUrl(reference: string, base: URL, isPage = false): URL | null {
  const path = reference.replace(/^\.?\//, '');
  if (reference.startsWith('../')) return null;
  if (reference.startsWith('/'))
    return hasFolder(base, path) || isPage ? parseUrl(reference, base.href) : null;
  const [first = ''] = path.split('/');
  const at = base.pathname.indexOf(`/${first}/`);
  if (at !== -1) return parseUrl(base.pathname.slice(0, at + 1) + path, base.href);
  // Next.js names files in the page without the folder from which it serves them.
  return isPage && first === 'static' ? parseUrl(`/_next/${path}`, base.href) : null;
}

const hasFolder = (base: URL, path: string) => base.pathname.startsWith(`/${path.split('/', 1)[0]!}/`);
