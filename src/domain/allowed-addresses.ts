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
 * The one spelling of each address and CIDR that a key may be used from, in the order given and without repetitions:
 * `203.0.113.7`, `203.0.113.0/24`, `2001:db8::/32`.
 *
 * @throws AddressRangeError naming the first entry that is wrong
 */
export function normalizeAllowedAddresses(entries: readonly string[]): string[] {
  return [...new Set(entries.map(entry => format(parseEntry(entry.trim()))))];
}

/**
 * Whether a key may be used from a client's address. Without entries, from any; with entries, never from what is not an
 * address, such as undefined once the connection has ended.
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

/** As for clients, a zone id is ignored, and IPv4-mapped IPv6 is IPv4. */
function parseEntry(entry: string): AddressRange {
  try {
    const [address = '', ...prefix] = entry.replace(/%[^/]*/, '').split('/');
    // Also refuses IPv4 with leading zeros at the end of IPv6, which some read as octal.
    if (isIP(address) === 0) throw new AddressRangeError('it is not an address or CIDR');
    const [network, bits] = parseAddressRange([respellIpv4Compatible(address), ...prefix].join('/'));
    return network instanceof ipaddr.IPv6 && network.isIPv4MappedAddress()
      ? [network.toIPv4Address(), bits - 96]
      : [network, bits];
  } catch (error) {
    if (!(error instanceof AddressRangeError)) throw error;
    throw new AddressRangeError(`"${entry.slice(0, 80)}" is wrong: ${error.message}`);
  }
}

function format([network, bits]: AddressRange): string {
  const isSingle = bits === (network.kind() === 'ipv4' ? 32 : 128);
  return isSingle ? network.toString() : `${network.toString()}/${bits}`;
}
