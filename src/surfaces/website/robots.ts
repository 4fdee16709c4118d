import type { HttpResponse } from '../../evidence/website.ts';
import { DisallowedByRobots } from './failure.ts';
import { type GetOptions, HttpClient, hostnameOf } from './http-client.ts';
import { isSameSite, redirectTarget } from './navigate.ts';

/** The name by which a robots.txt can address Parapet. */
const product = 'parapet';

/** Parsers must read at least 500 KiB (RFC 9309, 2.5). */
const robotsBytes = 512 * 1024;
const maxRedirects = 5;

interface Rule {
  readonly allow: boolean;
  readonly pattern: string;
}

/**
 * A client that first reads the robots.txt of every host, once, and asks for nothing that it denies to Parapet by name.
 * A group for `*` addresses indexers: it does not bind a scan that the site's owner has authorized.
 */
export class ObedientClient extends HttpClient {
  readonly #rules = new Map<string, Promise<readonly Rule[]>>();

  /** @throws DisallowedByRobots, and what `HttpClient` throws */
  override async get(url: URL, options: GetOptions): Promise<HttpResponse> {
    // Without a default port: one file speaks for HTTP and HTTPS of a host.
    const rules = this.#rules.get(url.host) ?? this.#read(url);
    this.#rules.set(url.host, rules);
    if (!isAllowed(await rules, url.pathname + url.search)) throw new DisallowedByRobots();
    return super.get(url, options);
  }

  /** What cannot be read denies nothing: the owner's authorization stands. */
  async #read(start: URL): Promise<readonly Rule[]> {
    let url = new URL('/robots.txt', start.origin);
    try {
      for (let hops = 0; hops <= maxRedirects; hops += 1) {
        const limits = { readLimit: robotsBytes, keepLimit: robotsBytes, encoding: 'utf8' } as const;
        const response = await super.get(url, limits);
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

/** The rules of all groups that name a product (RFC 9309, 2.2.1). @param name in lower case */
export function rulesFor(name: string, robots: string): Rule[] {
  const rules: Rule[] = [];
  let isAddressed = false;
  let inAgents = false;
  for (const line of robots.replace(/^\ufeff/, '').split(/[\r\n]+/)) {
    const colon = line.indexOf(':');
    if (colon === -1) continue;
    const key = line.slice(0, colon).trim().toLowerCase();
    const value = (line.slice(colon + 1).split('#', 1)[0] ?? '').trim();
    if (key === 'user-agent') {
      const agent = /^[a-z_-]{1,50}/i.exec(value)?.[0].toLowerCase();
      isAddressed = (inAgents && isAddressed) || agent === name;
      inAgents = true;
    } else if (key === 'allow' || key === 'disallow') {
      inAgents = false;
      if (isAddressed && value !== '') rules.push({ allow: key === 'allow', pattern: encoded(value) });
    }
  }
  return rules;
}

/** The longest pattern that fits decides; of two, the one that allows (RFC 9309, 2.2.2). @param path with its query */
export function isAllowed(rules: readonly Rule[], path: string): boolean {
  const asked = encoded(path);
  let decisive: Rule | null = null;
  for (const rule of rules) {
    const isLonger = decisive === null || rule.pattern.length >= decisive.pattern.length;
    if (!isLonger || !fits(rule.pattern, asked)) continue;
    const isTie = rule.pattern.length === decisive?.pattern.length;
    if (!isTie || rule.allow) decisive = rule;
  }
  return decisive?.allow ?? true;
}

/** `*` stands for anything, a last `$` for the end (RFC 9309, 2.2.3). Each part is searched once, from the left. */
function fits(pattern: string, path: string): boolean {
  const toEnd = pattern.endsWith('$');
  const [first = '', ...parts] = (toEnd ? pattern.slice(0, -1) : pattern).split('*');
  if (!path.startsWith(first)) return false;
  let at = first.length;
  const last = toEnd ? parts.pop() : undefined;
  for (const part of parts) {
    const found = path.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  if (last === undefined) return !toEnd || at === path.length;
  return path.length - last.length >= at && path.endsWith(last);
}

/** One spelling for a path: what need not be encoded is not, what must be is (RFC 9309, 2.2.2). */
function encoded(path: string): string {
  return path
    .replace(/%([0-9a-f]{2})/gi, (whole, hex: string) => {
      const character = String.fromCharCode(Number.parseInt(hex, 16));
      return /[\w.~-]/.test(character) ? character : whole.toUpperCase();
    })
    .replace(/[^\x20-\x7e]/gu, character => encodeURIComponent(character.toWellFormed()));
}
