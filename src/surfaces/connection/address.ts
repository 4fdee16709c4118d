import ipaddr from 'ipaddr.js';

/** A parsed host: a canonical address, or a name in lowercase ASCII without a trailing dot. */
export type ParsedHost =
  | { readonly kind: 'address'; readonly address: string; readonly family: 4 | 6 }
  | { readonly kind: 'name'; readonly name: string };

/**
 * Parses a host in any spelling that a browser or a C library accepts: decimal, octal, hexadecimal and short IPv4
 * forms, IPv6 with or without brackets, full-width digits, percent-encoding, trailing dots, international names. It
 * uses the URL standard's host parser, so that the checked host is the one that any client would connect to.
 *
 * @returns null if it is not a valid host
 */
export function parseHost(text: string): ParsedHost | null {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > 300) return null;
  const bare = trimmed.startsWith('[') && trimmed.endsWith(']') ? trimmed.slice(1, -1) : trimmed;
  if (bare.includes(':')) {
    // A zone id is dropped: addresses that need one are never public, and keeping it would select an interface of this
    // machine.
    const withoutZone = bare.split('%', 1)[0] ?? '';
    const address = parseAddress(withoutZone);
    return address;
  }
  if (trimmed.startsWith('[') || /[\s/?#@\\]/.test(trimmed)) return null;
  const hostname = hostnameOfUrl(trimmed);
  if (hostname === null) return null;
  const withoutDot = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
  return parseAddress(withoutDot) ?? parseName(withoutDot);
}

function hostnameOfUrl(host: string): string | null {
  try {
    return new URL(`http://${host}/`).hostname;
  } catch {
    return null;
  }
}

/** Parses an address in its usual spelling, as resolvers return it. IPv4-mapped IPv6 becomes IPv4. */
export function parseAddress(text: string): (ParsedHost & { kind: 'address' }) | null {
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !ipaddr.IPv6.isValid(text)) return null;
  const parsed = ipaddr.process(text.split('%', 1)[0] ?? '');
  return { kind: 'address', address: parsed.toString(), family: parsed.kind() === 'ipv4' ? 4 : 6 };
}

function parseName(name: string): ParsedHost | null {
  const labels = name.split('.');
  const ok = name.length <= 253 && labels.every(label => /^[a-z0-9_-]{1,63}$/.test(label));
  return ok ? { kind: 'name', name } : null;
}

const globalUnicastIpv6 = ipaddr.parseCIDR('2000::/3');

/**
 * Addresses inside public ranges that answer only within a cloud: Azure's host agent, which issues credentials to
 * virtual machines.
 */
const cloudInternal = new Set(['168.63.129.16']);

/**
 * Whether an address in canonical form is public unicast. IPv6 must lie in 2000::/3, the only block from which global
 * unicast is assigned (RFC 4291, IANA): this also refuses IPv4-compatible addresses.
 */
export function isPublicUnicast(address: string): boolean {
  if (cloudInternal.has(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || parsed.match(globalUnicastIpv6);
}
