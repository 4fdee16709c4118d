import { urlAt } from '../../captures/url-at.ts';
import type { HttpResponse } from '../../captures/website.ts';
import { SiteDeclines } from './failure.ts';
import { assertReadable, HttpClient, hostnameOf, type RequestOptions } from './http-client.ts';
import { isSameSite, redirectTarget } from './navigate.ts';
import { isAllowed, namedPaths, type RobotsRule, rulesFor } from './robots.ts';

/** The product name that a robots.txt can use for Parapet. */
const product = 'parapet';

/** Parsers must read at least 500 KiB (RFC 9309, 2.5). */
const robotsBytes = 512 * 1024;
const maxRedirects = 5;

/**
 * A client that follows the site's instructions. It first reads the robots.txt of every host, once, and requests
 * nothing that is disallowed for Parapet by name. After a status "too many requests" or "unavailable", it sends no more
 * requests to that origin.
 *
 * A group for `*` addresses indexers: it does not apply to a scan that the site's owner has authorized.
 */
export class PoliteClient extends HttpClient {
  readonly #rules = new Map<string, Promise<readonly RobotsRule[] | null>>();
  readonly #exhausted = new Set<string>();
  /** By host: paths that its robots.txt names for anyone. */
  readonly #named = new Map<string, readonly string[]>();

  /** @throws SiteDeclines, and what `HttpClient` throws */
  override async request(url: URL, options: RequestOptions): Promise<HttpResponse> {
    assertReadable(url);
    this.assertCovered(url, options);
    // Without a default port: HTTP and HTTPS of a host share one file.
    const rules = this.#rules.get(url.host) ?? this.#readRobots(url);
    this.#rules.set(url.host, rules);
    const known = await rules;
    // A site that writes so many rules for Parapet wants fewer requests, not more.
    if (known === null)
      throw new SiteDeclines('The robots.txt of the site has more rules than the scan reads.');
    if (!isAllowed(known, url.pathname + url.search)) {
      throw new SiteDeclines('The robots.txt of the site disallows this path for Parapet.');
    }
    return this.#ask(url, options);
  }

  override pathsOfRobots(host: string): readonly string[] {
    return this.#named.get(host) ?? [];
  }

  async #ask(url: URL, options: RequestOptions): Promise<HttpResponse> {
    if (this.#exhausted.has(url.origin)) throw new SiteDeclines('The site answered with status 429 or 503.');
    const response = await super.request(url, options);
    if (response.status === 429 || response.status === 503) this.#exhausted.add(url.origin);
    return response;
  }

  /** A robots.txt that cannot be read disallows nothing, since the owner has authorized the scan. */
  async #readRobots(start: URL): Promise<readonly RobotsRule[] | null> {
    let url = urlAt(start.origin, '/robots.txt');
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
        if (next === null) {
          if (response.status !== 200) return [];
          this.#named.set(start.host, namedPaths(response.body));
          return rulesFor(product, response.body);
        }
        if (!isSameSite(hostnameOf(start), hostnameOf(next))) return [];
        url = next;
      }
    } catch {
      // The next request fails in the same way, and reports it.
    }
    return [];
  }
}
