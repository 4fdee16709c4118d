import { targetLimits } from './limits.ts';

/**
 * Parses a target's URL. One that is longer than any server accepts is treated as invalid.
 *
 * @param base within the length limit
 * @returns null if it is not a URL
 */
export function parseUrl(reference: string, base?: string): URL | null {
  const url = parse(reference, base);
  return url === 'too_long' ? null : url;
}

/** Whether it may be a URL, but it or the part before its path is longer than the scan reads. */
export function isTooLong(reference: string, base?: string): boolean {
  return parse(reference, base) === 'too_long';
}

function parse(reference: string, base?: string): URL | 'too_long' | null {
  if (reference.length > targetLimits.url) return 'too_long';
  // The URL parser takes a second for a non-ASCII name of 8,000 characters: the conversion is quadratic.
  if (authorityOf(reference).length > targetLimits.authority) return 'too_long';
  if (!URL.canParse(reference, base)) return null;
  const url = new URL(reference, base);
  return url.href.length > targetLimits.url ? 'too_long' : url;
}

/**
 * The authority part of a URL as the URL standard parses it: after any number of slashes of either kind, with tabs and
 * line breaks anywhere. Schemes such as `data:` have no host name to convert.
 */
function authorityOf(reference: string): string {
  const plain = reference.replace(/[\t\n\r]/g, '').replace(/^[\u0000-\u0020]+/, '');
  return /^(?:(?:https?|wss?|ftp|file):[\\/]*|[\\/]{2,})([^\\/?#]*)/i.exec(plain)?.[1] ?? '';
}

/** Characters kept of a URL without a host, such as an image in `data:`. */
const keptOfOpaque = 200;

const tooLong = `The page has an address of more than ${targetLimits.url} characters, or ${targetLimits.authority} before its path.`;
const tooMany = 'The page has more addresses than the scan reads.';

/**
 * Resolves the URLs of one page, in time and memory that do not grow with the number of URLs times the length of their
 * base.
 */
export class PageAddresses {
  #base: string;
  #baseIsSet = false;
  #left: number = targetLimits.resolved;
  #gap: string | null = null;

  constructor(pageUrl: string) {
    this.#base = pageUrl;
  }

  /** What the page's relative URLs are resolved against. */
  get base(): string {
    return this.#base;
  }

  /** Why URLs of the page were left out, in a sentence; null if none was. */
  get gap(): string | null {
    return this.#gap;
  }

  /** Only the first base element counts (HTML, 4.2.3). */
  setBase(href: string): void {
    if (this.#baseIsSet) return;
    this.#baseIsSet = true;
    const base = this.resolve(href);
    // Browsers ignore a base that relative URLs cannot be resolved against (HTML, 4.2.3).
    if (base !== null && !/^(?:data|javascript):$/.test(base.protocol)) this.#base = base.href;
  }

  /** Null for an invalid URL, and for one that was left out. */
  resolve(reference: string | undefined): URL | null {
    if (reference === undefined) return null;
    const isCut = reference.length > targetLimits.url;
    const text = isCut ? reference.trimStart().slice(0, keptOfOpaque) : reference;
    this.#left -= this.#base.length + text.length + conversion(text);
    if (this.#left < 0) return this.#leaveOut(tooMany);
    if (isCut) {
      const beginning = parseUrl(text);
      return beginning?.host === '' ? beginning : this.#leaveOut(tooLong);
    }
    const url = parse(text, this.#base);
    return url === 'too_long' ? this.#leaveOut(tooLong) : url;
  }

  #leaveOut(reason: string): null {
    this.#gap ??= reason;
    return null;
  }
}

/** The additional cost of converting a name to ASCII. */
function conversion(reference: string): number {
  const authority = authorityOf(reference).slice(0, targetLimits.authority);
  return /^[\w.:@[\]-]*$/.test(authority) && !/xn--/i.test(authority) ? 0 : authority.length ** 2;
}
