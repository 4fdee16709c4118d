import { isIPv6 } from 'node:net';
import type { SourceKind } from '../contract/sources.ts';
import { Refusal } from './refusal.ts';

/** Characters of name and port, and of credentials that are refused: a name has at most 253. */
const maxAuthority = 300;

/**
 * The one way in which a source's host is written: lower case, punycode, no default port, no trailing dot.
 * A website's is `name`, `name:port` or a URL with scheme; a database's `name` or `name:port`; a Supabase
 * project's an https URL's host. Throws a `Refusal` that names what is wrong; credentials in it are refused
 * and not repeated.
 */
export function normalizeHost(kind: SourceKind, given: string): string {
  const value = given.trim();
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(value)?.[1]?.toLowerCase();
  if (scheme !== undefined && (kind === 'postgres' || kind === 'mysql')) {
    throw refused('must be a name or an address with an optional port, not a URL');
  }
  if (scheme !== undefined && scheme !== 'https' && scheme !== 'http') {
    throw refused('must be an http or https URL');
  }
  // A bare IPv6 address has colons that a URL parser takes for a port.
  const url = parse(scheme ? value : `https://${isIPv6(value) ? `[${value}]` : value}`);
  if (url.username || url.password) throw refused('must not carry credentials: submit them separately');
  if (url.search || url.hash) throw refused('must not carry a query or a fragment');
  if (!scheme && url.pathname !== '/') throw refused('must not carry a path unless it is a URL');
  const name = url.hostname.replace(/\.$/, '');
  if (!name || name.length > 253) throw refused('must be a name or an address');
  // `https://` was only borrowed for parsing: a port of 443 that was given has to stay.
  const port = url.port || (!scheme && !isIPv6(value) && value.endsWith(':443') ? '443' : '');
  const authority = port ? `${name}:${port}` : name;
  if (kind !== 'website' || !scheme) return authority;
  return `${scheme}://${authority}${url.pathname}`;
}

function parse(text: string): URL {
  if (/[\s\\]/.test(text)) throw refused('must not contain spaces or backslashes');
  // The URL parser's conversion of names outside of ASCII is quadratic.
  if (/^[a-z]+:\/*([^/?#]*)/i.exec(text)![1]!.length > maxAuthority)
    throw refused('must be a name or an address');
  try {
    return new URL(text);
  } catch {
    throw refused('must be a name or an address with an optional port, or a URL for a website');
  }
}

function refused(message: string): Refusal {
  return new Refusal('invalid_body', { fields: [{ path: 'host', message }] });
}
