import { parseUrl } from '../../captures/page-addresses.ts';

/** Entries of one import map that are read. */
const mostEntries = 2_000;

/** Where the bare specifiers of a page's modules lead (HTML, 8.1.5.3: import maps). */
export class ImportMap {
  readonly #urls = new Map<string, URL>();
  /** Prefixes, which end with a slash, longest first. */
  #prefixes: readonly string[] = [];

  /** @returns whether the text is an import map */
  add(text: string, base: string): boolean {
    const imports = importsOf(text);
    if (imports === null) return false;
    for (const [specifier, address] of Object.entries(imports).slice(0, mostEntries)) {
      const url = typeof address === 'string' ? parseUrl(address, base) : null;
      if (url !== null && !this.#urls.has(specifier)) this.#urls.set(specifier, url);
    }
    this.#prefixes = [...this.#urls.keys()]
      .filter(specifier => specifier.endsWith('/'))
      .sort((a, b) => b.length - a.length);
    return true;
  }

  /** The URL of a specifier that is not one; null if the map has none. */
  resolve(specifier: string): URL | null {
    const exact = this.#urls.get(specifier);
    if (exact !== undefined) return exact;
    const prefix = this.#prefixes.find(prefix => specifier.startsWith(prefix));
    return prefix === undefined
      ? null
      : parseUrl(specifier.slice(prefix.length), this.#urls.get(prefix)!.href);
  }
}

function importsOf(text: string): Record<string, unknown> | null {
  try {
    const { imports } = JSON.parse(text) as { readonly imports?: unknown };
    return typeof imports === 'object' && imports !== null ? (imports as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
