import { parseHost } from './address.ts';

/** Host and port in a canonical form that can be compared. */
export interface Authority {
  /** The name in lowercase ASCII, or the canonical address. */
  readonly hostname: string;
  readonly port: number;
}

/**
 * Parses `name`, `name:port`, `address:port` or `[IPv6]:port`. Lists of hosts, socket paths and percent-encoding are
 * rejected, since drivers interpret them in their own ways.
 *
 * @returns null if it is not an authority
 */
export function parseAuthority(text: string, defaultPort: number): Authority | null {
  const [, host, port] = /^(\[[^\]]*\]|[^:[\]@/?#%,\\]+)(?::(\d{1,5}))?$/.exec(text) ?? [];
  const parsed = host === undefined ? null : parseHost(host);
  const number = port === undefined ? defaultPort : Number(port);
  if (parsed === null || number < 1 || number > 65_535) return null;
  return { hostname: parsed.kind === 'address' ? parsed.address : parsed.name, port: number };
}

export function isSameAuthority(a: Authority, b: Authority): boolean {
  return a.hostname === b.hostname && a.port === b.port;
}
