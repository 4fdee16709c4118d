import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import {
  type AddressRange,
  AddressRangeError,
  isWithin,
  parseAddress,
  parseAddressRange,
  respellIpv4Compatible,
} from '../contract/address-ranges.ts';

/**
 * Normalizes the address allowlist of a key, without duplicates: `203.0.113.7`, `203.0.113.0/24`, `2001:db8::/32`.
 *
 * @throws AddressRangeError for the first invalid entry
 */
export function normalizeAllowedAddresses(entries: readonly string[]): string[] {
  return [...new Set(entries.map(entry => format(parseEntry(entry.trim()))))];
}

/**
 * Returns whether a client address is on the allowlist. An empty allowlist allows any address; otherwise an unknown address, as
 * of a closed connection, is refused.
 *
 * @throws AddressRangeError
 */
export function allowedAddresses(entries: readonly string[]): (address: string | undefined) => boolean {
  if (entries.length === 0) return () => true;
  const ranges = entries.map(parseEntry);
  return text => {
    const address = parseAddress(text ?? '');
    return address !== undefined && isWithin(ranges, address);
  };
}

/** As for client addresses, a zone ID is ignored and IPv4-mapped IPv6 becomes IPv4. */
function parseEntry(entry: string): AddressRange {
  try {
    const [address = '', ...prefix] = entry.replace(/%[^/]*/, '').split('/');
    // Also rejects an IPv4 suffix with leading zeros, which some parsers read as octal.
    if (isIP(address) === 0) throw new AddressRangeError('not an IP address or CIDR');
    const [network, bits] = parseAddressRange([respellIpv4Compatible(address), ...prefix].join('/'));
    return network instanceof ipaddr.IPv6 && network.isIPv4MappedAddress()
      ? [network.toIPv4Address(), bits - 96]
      : [network, bits];
  } catch (error) {
    if (!(error instanceof AddressRangeError)) throw error;
    throw new AddressRangeError(`"${entry.slice(0, 80)}" is invalid: ${error.message}`);
  }
}

function format([network, bits]: AddressRange): string {
  const isSingle = bits === (network.kind() === 'ipv4' ? 32 : 128);
  return isSingle ? network.toString() : `${network.toString()}/${bits}`;
}
