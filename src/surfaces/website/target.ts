import { urlAt } from '../../captures/url-at.ts';
import type { WebsiteSite } from '../../captures/website.ts';
import { parseHost } from '../connection/address.ts';
import { TargetRefused } from '../connection/target-guard.ts';

export interface WebsiteTarget {
  readonly site: WebsiteSite;
  /** The source is an explicit http:// URL: its owner has chosen plain HTTP. */
  readonly explicitHttp: boolean;
}

/**
 * Parses a website source's host. Its spelling determines the ports:
 *
 * | source | HTTPS | plain HTTP |
 * |---|---|---|
 * | `example.com`, `https://example.com/app`, `http://example.com/` | 443 | 80 |
 * | `example.com:8443`, `https://example.com:8443/` | 8443 | 8443 |
 * | `http://example.com:8080/` | none | 8080 |
 *
 * Plain HTTP on an HTTPS port is requested once, since some servers answer both on one port. The usual refusal (400,
 * 426 or a closed connection) counts as not served there. An http URL with a nonstandard port has no HTTPS counterpart:
 * port 443 of the same machine may be someone else's site.
 *
 * @throws TargetRefused with `invalid_host`
 */
export function parseWebsiteHost(host: string): WebsiteTarget {
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(host);
  // The URL standard skips any number of slashes, but a host does not begin with one.
  const url = /^[/\\]/.test(host) ? null : toUrl(hasScheme ? host : `https://${bracketed(host)}`);
  const isHttp = url?.protocol === 'http:';
  if (url === null || !(isHttp || url.protocol === 'https:') || url.username !== '' || url.password !== '') {
    throw new TargetRefused('invalid_host', 'The host must be a name, an address or an http(s) URL.');
  }
  const parsed = parseHost(url.hostname);
  if (parsed === null) throw new TargetRefused('invalid_host', 'The host is not a valid name or address.');
  // The URL standard drops a default port: a port that remains was written and is not the default.
  const written = url.port === '' ? null : Number(url.port);
  // `example.com:80` without a scheme means the site's plain HTTP port, with the usual HTTPS counterpart.
  const port = !hasScheme && written === 80 ? null : written;
  return {
    explicitHttp: hasScheme && isHttp,
    site: {
      hostname: parsed.kind === 'address' ? parsed.address : parsed.name,
      is_address: parsed.kind === 'address',
      path: url.pathname + url.search,
      https_port: port === null ? 443 : isHttp ? null : port,
      http_port: port === null ? 80 : port,
    },
  };
}

/** `::1` is an address, not a host with a port. */
function bracketed(host: string): string {
  return host.split(':').length > 2 && !host.startsWith('[') ? `[${host}]` : host;
}

function toUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

/** A URL's origin from scheme, host and port, with brackets around IPv6 and without a default port. */
export function originOf(scheme: 'http' | 'https', hostname: string, port: number): string {
  const host = hostname.includes(':') ? `[${hostname}]` : hostname;
  return new URL(`${scheme}://${host}:${port}`).origin;
}

/** The first URL to request, or null if the source does not use this scheme. */
export function startUrl(target: WebsiteTarget, scheme: 'http' | 'https'): URL | null {
  const { hostname, path, https_port, http_port } = target.site;
  const port = scheme === 'https' ? https_port : http_port;
  return port === null ? null : urlAt(originOf(scheme, hostname, port), path);
}
