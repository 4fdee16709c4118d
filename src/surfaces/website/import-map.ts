import { parseBounded } from '../../bytes/json-meter.ts';
import { parseUrl } from '../../captures/page-addresses.ts';

/** Entries of all import maps of a page that are read. */
const mostEntries = 2_000;

/** An entry of `imports` is a value, and those of `integrity` and `scopes` are as many again. */
const mapBounds = { bytes: 2 * 1024 * 1024, values: 10 * mostEntries, depth: 16 };

/**
 * Characters of URLs that are resolved for the scripts of one page, each counted with its base: 50,000 usual references. A base of
 * 8 KB takes as long as a hundred short ones.
 */
const mostResolved = 4 * 1024 * 1024;

/** Prefixes by their folders: the longest one of a specifier is found in one pass. */
interface Folder {
  readonly folders: Map<string, Folder>;
  url: URL | null;
}

/** Where the modules of a page's scripts lead, with bare specifiers by its import maps (HTML, 8.1.5.3). */
export class ImportMap {
  readonly #urls = new Map<string, URL>();
  readonly #prefixes: Folder = { folders: new Map(), url: null };
  #entriesLeft = mostEntries;
  #charactersLeft = mostResolved;
  #gap: string | null = null;

  /** Why modules may be missing, in a sentence; null if none is. */
  get gap(): string | null {
    return this.#gap;
  }

  /** @returns whether the text is an import map */
  add(text: string, base: string): boolean {
    const imports = this.#entriesLeft === 0 ? 'too_large' : importsOf(text);
    if (imports === 'too_large') {
      this.#gap ??= tooManyEntries;
      return true;
    }
    if (imports === null) return false;
    const entries = Object.entries(imports);
    if (entries.length > this.#entriesLeft) this.#gap ??= tooManyEntries;
    for (const [specifier, address] of entries.slice(0, this.#entriesLeft)) {
      const url = typeof address === 'string' ? this.resolveUrl(address, base) : null;
      if (url !== null && !this.#urls.has(specifier)) this.#put(specifier, url);
    }
    // A map without entries also takes time.
    this.#entriesLeft = Math.max(0, this.#entriesLeft - Math.max(1, entries.length));
    return true;
  }

  #put(specifier: string, url: URL): void {
    this.#urls.set(specifier, url);
    if (!specifier.endsWith('/')) return;
    let folder = this.#prefixes;
    for (const name of specifier.slice(0, -1).split('/')) {
      const next = folder.folders.get(name) ?? { folders: new Map(), url: null };
      folder.folders.set(name, next);
      folder = next;
    }
    folder.url = url;
  }

  /** The URL of a specifier that is not one; null if the maps have none. */
  resolve(specifier: string): URL | null {
    const exact = this.#urls.get(specifier);
    if (exact !== undefined) return exact;
    let folder: Folder | undefined = this.#prefixes;
    let length = 0;
    let longest: { readonly url: URL; readonly length: number } | null = null;
    for (const name of specifier.split('/').slice(0, -1)) {
      folder = folder.folders.get(name);
      if (folder === undefined) break;
      length += name.length + 1;
      if (folder.url !== null) longest = { url: folder.url, length };
    }
    return longest === null ? null : this.resolveUrl(specifier.slice(longest.length), longest.url.href);
  }

  /** Like `parseUrl`. Null also for what is left out. */
  resolveUrl(reference: string, base: string): URL | null {
    this.#charactersLeft -= base.length + reference.length;
    if (this.#charactersLeft >= 0) return parseUrl(reference, base);
    this.#gap ??= tooMuch;
    return null;
  }
}

const tooManyEntries = `The page’s import maps have more than the ${mostEntries} entries that the scan reads.`;
const tooMuch = 'The scripts of the page name more addresses than the scan reads.';

function importsOf(text: string): Record<string, unknown> | 'too_large' | null {
  const map = parseBounded(text, mapBounds);
  if (map === 'too_large') return map;
  const { imports } = Object(map?.value) as { readonly imports?: unknown };
  return typeof imports === 'object' && imports !== null ? (imports as Record<string, unknown>) : null;
}
