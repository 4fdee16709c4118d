import { parseHost } from './address.ts';

/** Host and port in the one form in which they can be compared. */
export interface Authority {
  /** The name in lower-case ASCII, or the canonical address. */
  readonly hostname: string;
  readonly port: number;
}

/**
 * Reads `name`, `name:port`, `address:port` or `[IPv6]:port`. Lists of hosts, paths of sockets and percent-encoding
 * are no authority: drivers give them meanings of their own.
 *
 * @returns null when it is none.
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
