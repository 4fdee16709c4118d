import ipaddr from 'ipaddr.js';
import {
  type AddressRange,
  AddressRangeError,
  isWithin,
  parseAddressRange,
} from '../../contract/address-ranges.ts';

/** A CIDR of the allow-list is wrong. Thrown at start, so that a typing error never widens what is allowed. */
export class AllowlistError extends Error {
  override readonly name = 'AllowlistError';
}

/**
 * @param entries CIDRs (`10.20.0.0/16`, `fd00:1::/32`) or single addresses. Empty entries are skipped.
 * @returns whether an address in canonical form is inside one of them.
 * @throws AllowlistError naming the first entry that is wrong.
 */
export function createAllowlist(entries: readonly string[]): (address: string) => boolean {
  const ranges = entries
    .map(entry => entry.trim())
    .filter(entry => entry !== '')
    .map(parseEntry);
  return address => isWithin(ranges, ipaddr.process(address));
}

function parseEntry(entry: string): AddressRange {
  try {
    const range = parseAddressRange(entry);
    const [network] = range;
    if (network instanceof ipaddr.IPv6 && network.isIPv4MappedAddress()) {
      throw new AddressRangeError('write IPv4 addresses as IPv4');
    }
    return range;
  } catch (error) {
    if (!(error instanceof AddressRangeError)) throw error;
    throw new AllowlistError(
      `"${entry.slice(0, 80)}" in PARAPET_TARGET_ALLOWLIST is wrong: ${error.message}`,
    );
  }
}
