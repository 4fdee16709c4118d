import { isIPv4, isIPv6 } from 'node:net';
import type { SourceKind } from '../contract/sources.ts';
import { Refusal } from './refusal.ts';

/** Maximum length of host name and port; a host name has at most 253 characters. */
const maxAuthority = 300;

/** Maximum length of a stored host. */
const maxHost = 2_048;

/** Ports that are omitted from a host without a scheme. A website without a port is scanned on both. */
const defaultPorts: Record<SourceKind, readonly number[]> = {
  website: [80, 443],
  postgres: [5432],
  mysql: [3306],
  redis: [6379],
  supabase: [443],
};

/**
 * Normalizes the host of a source: lowercase, punycode, no default port, no trailing dot. All kinds accept a host name or IP address with
 * an optional port; websites also an http or https URL, and Supabase projects an https URL. Throws `invalid_body` with a message that
 * never repeats the input, which may contain a password.
 */
export function normalizeHost(kind: SourceKind, given: string): string {
  const value = given.trim();
  const [, scheme, rest = value] = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/is.exec(value) ?? [];
  assertScheme(kind, scheme?.toLowerCase());
  assertPlain(rest);
  // A bare IPv6 address has colons that a URL parser takes for a port.
  const url = parse(`${scheme ?? 'https'}://${isIPv6(rest) ? `[${rest}]` : rest}`);
  assertPath(kind, scheme !== undefined, url.pathname);
  const name = url.hostname.replace(/\.$/, '');
  if (!isHostName(name)) throw refused('must be a valid host name (RFC 1123) or IP address');
  if (isIPv4(name) && !authorityOf(rest).startsWith(name)) {
    throw refused('must be an IP address in standard notation, such as 192.0.2.1');
  }
  const port = portOf(rest);
  if (port === 0) throw refused('must have a port from 1 to 65535');
  // A URL omits the default port of its scheme; without a scheme, the default depends on the kind.
  const isDefault = scheme === undefined ? defaultPorts[kind].includes(port ?? Number.NaN) : url.port === '';
  const authority = port === undefined || isDefault ? name : `${name}:${port}`;
  const host = kind === 'website' && scheme ? `${url.protocol}//${authority}${url.pathname}` : authority;
  if (host.length > maxHost) throw refused(`must have at most ${maxHost} characters when percent-encoded`);
  return host;
}

/** The ports of a target with this normalized host: a website may also redirect to its default ports. */
export function portsOf(kind: SourceKind, host: string): number[] {
  const port = portOf(host.replace(/^[a-z]+:\/\//, ''));
  if (port === undefined) return [...defaultPorts[kind]];
  return kind === 'website' ? [port, ...defaultPorts[kind]] : [port];
}

const authorityOf = (rest: string) => /^[^/]*/.exec(rest)![0];

function portOf(rest: string): number | undefined {
  const authority = authorityOf(rest);
  const digits = isIPv6(authority) ? undefined : /:(\d+)$/.exec(authority)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

function assertScheme(kind: SourceKind, scheme: string | undefined): void {
  if (scheme === undefined) return;
  if (kind === 'postgres' || kind === 'mysql' || kind === 'redis') {
    throw refused('must be a host name or IP address with an optional port, not a URL');
  }
  if (kind === 'supabase' && scheme !== 'https') throw refused('must be an https URL or a host name');
  if (scheme !== 'https' && scheme !== 'http') throw refused('must be an http or https URL or a host name');
}

/** Rejects input that a URL parser would silently drop or decode. @param rest text after the scheme */
function assertPlain(rest: string): void {
  if (/[\s\\]/.test(rest)) throw refused('must not contain spaces or backslashes');
  if (/[?#]/.test(rest))
    throw refused('must not have a query or fragment: remove everything after "?" or "#"');
  const authority = authorityOf(rest);
  // Punycode conversion of the URL parser takes quadratic time.
  if (authority === '' || authority.length > maxAuthority)
    throw refused('must be a valid host name or IP address');
  if (authority.includes('@')) throw refused('must not contain credentials: submit them separately');
  // Zero-width joiners are allowed: some scripts require them.
  if (/[^\P{Default_Ignorable_Code_Point}\u200c\u200d]/u.test(authority)) {
    throw refused('must not contain invisible characters');
  }
  if (rest.startsWith('//', authority.length)) throw refused('must not have a path that begins with "//"');
  if (/\/(\.|%2e){1,2}(\/|$)/i.test(rest)) throw refused('must not have "." or ".." in its path');
  if (authority.includes('%') || (authority.endsWith(':') && !isIPv6(authority)))
    throw refused('must be a valid host name or IP address with an optional port');
}

function assertPath(kind: SourceKind, isUrl: boolean, path: string): void {
  if (path === '/') return;
  if (kind !== 'website') throw refused('must not have a path');
  if (!isUrl) throw refused('must be a full URL to have a path, such as https://example.com/portal');
}

function parse(text: string): URL {
  try {
    return new URL(text);
  } catch {
    throw refused('must be a valid host name or IP address with an optional port');
  }
}

/** Accepts a host name (RFC 1123, 2.1) or an IP address in URL notation. */
function isHostName(name: string): boolean {
  if (name.startsWith('[') || isIPv4(name)) return true;
  const labels = name.split('.');
  return name.length <= 253 && labels.every(label => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(label));
}

function refused(message: string): Refusal {
  return new Refusal('invalid_body', { fields: [{ path: 'host', message }] });
}
