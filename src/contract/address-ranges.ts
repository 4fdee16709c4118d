import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** A network address and the length of its prefix in bits. */
export type AddressRange = readonly [network: Address, bits: number];

/** The text is not an IP address or CIDR; `message` has the reason. */
export class AddressRangeError extends Error {
  override readonly name = 'AddressRangeError';
}

/**
 * Parses an IP address; undefined if the text is not one. IPv4-mapped IPv6 (RFC 4291, section 2.5.5.2) is parsed as IPv4, and a
 * zone ID (RFC 4007) is ignored. Short, octal and hexadecimal forms of IPv4 are rejected.
 */
export function parseAddress(text: string): Address | undefined {
  const [unscoped = ''] = text.split('%');
  return isIP(unscoped) === 0 ? undefined : ipaddr.process(respellIpv4Compatible(unscoped));
}

/**
 * Converts `::192.0.2.1` to `::c000:201`. PostgreSQL prints this deprecated form (RFC 4291, section 2.5.5.1), and ipaddr.js mistakes it
 * for IPv4-mapped.
 */
export function respellIpv4Compatible(address: string): string {
  if (!address.startsWith('::') || isIP(address.slice(2)) !== 4) return address;
  const [a, b, c, d] = address.slice(2).split('.').map(Number) as [number, number, number, number];
  return `::${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}

/**
 * @param entry a CIDR (`10.20.0.0/16`, `fd00:1::/32`) or a single address, without a zone ID
 * @throws AddressRangeError
 */
export function parseAddressRange(entry: string): AddressRange {
  const [written = '', prefix, ...rest] = entry.split('/');
  const isIpv4 = ipaddr.IPv4.isValidFourPartDecimal(written);
  const isIpv6 = !isIpv4 && !written.includes('%') && ipaddr.IPv6.isValid(written);
  if (rest.length > 0 || !(isIpv4 || isIpv6)) throw new AddressRangeError('not an IP address or CIDR');
  const network = ipaddr.parse(written);
  const width = isIpv4 ? 32 : 128;
  if (prefix === undefined) return [network, width];
  if (!/^\d{1,3}$/.test(prefix) || Number(prefix) > width) {
    throw new AddressRangeError(`the prefix length must be 0 to ${width}`);
  }
  const bits = Number(prefix);
  const cidr = `${written}/${bits}`;
  const canonical = isIpv4
    ? ipaddr.IPv4.networkAddressFromCIDR(cidr)
    : ipaddr.IPv6.networkAddressFromCIDR(cidr);
  if (canonical.toString() !== network.toString()) {
    throw new AddressRangeError(
      `bits are set after the prefix. Did you mean ${canonical.toString()}/${bits}?`,
    );
  }
  return [network, bits];
}

/** Whether one of the ranges contains the address. IPv4 and IPv6 never match each other. */
export function isWithin(ranges: readonly AddressRange[], address: Address): boolean {
  return ranges.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
}
