import type { HttpResponse } from '../../captures/website.ts';
import { SiteDeclines } from './failure.ts';
import { assertReadable, HttpClient, hostnameOf, type RequestOptions } from './http-client.ts';
import { isSameSite, redirectTarget } from './navigate.ts';
import { isAllowed, type RobotsRule, rulesFor } from './robots.ts';

/** The name by which a robots.txt can address Parapet. */
const product = 'parapet';

/** Parsers must read at least 500 KiB (RFC 9309, 2.5). */
const robotsBytes = 512 * 1024;
const maxRedirects = 5;

/**
 * A client that does what a site asks of it. It first reads the robots.txt of every host, once, and asks for nothing that
 * it denies to Parapet by name. An origin that answers "too many requests" or "unavailable" is not asked further.
 *
 * A group for `*` addresses indexers: it does not bind a scan that the site's owner has authorized.
 */
export class PoliteClient extends HttpClient {
  readonly #rules = new Map<string, Promise<readonly RobotsRule[] | null>>();
  readonly #exhausted = new Set<string>();

  /** @throws SiteDeclines, and what `HttpClient` throws */
  override async request(url: URL, options: RequestOptions): Promise<HttpResponse> {
    assertReadable(url);
    this.assertCovered(url, options);
    // Without a default port: one file speaks for HTTP and HTTPS of a host.
    const rules = this.#rules.get(url.host) ?? this.#readRobots(url);
    this.#rules.set(url.host, rules);
    const known = await rules;
    // Whoever writes so much to Parapet wants less of it, not more.
    if (known === null)
      throw new SiteDeclines('The robots.txt of the site has more rules than the scan reads.');
    if (!isAllowed(known, url.pathname + url.search)) {
      throw new SiteDeclines('The robots.txt of the site denies this path to Parapet.');
    }
    return this.#ask(url, options);
  }

  async #ask(url: URL, options: RequestOptions): Promise<HttpResponse> {
    if (this.#exhausted.has(url.origin)) throw new SiteDeclines('The site asked for fewer requests.');
    const response = await super.request(url, options);
    if (response.status === 429 || response.status === 503) this.#exhausted.add(url.origin);
    return response;
  }

  /** What cannot be read denies nothing: the owner's authorization stands. */
  async #readRobots(start: URL): Promise<readonly RobotsRule[] | null> {
    let url = new URL('/robots.txt', start.origin);
    try {
      for (let hops = 0; hops <= maxRedirects; hops += 1) {
        const limits = {
          depth: 'safe',
          readLimit: robotsBytes,
          keepLimit: robotsBytes,
          encoding: 'utf8',
        } as const;
        const response = await super.request(url, limits);
        const next = redirectTarget(response);
        if (next === null) return response.status === 200 ? rulesFor(product, response.body) : [];
        if (!isSameSite(hostnameOf(start), hostnameOf(next))) return [];
        url = next;
      }
    } catch {
      // The request that follows meets the same trouble, and says so.
    }
    return [];
  }
}
