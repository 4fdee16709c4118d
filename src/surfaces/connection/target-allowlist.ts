import ipaddr from 'ipaddr.js';
import {
  type AddressRange,
  AddressRangeError,
  isWithin,
  parseAddressRange,
} from '../../contract/address-ranges.ts';
import { isPublicUnicast, parseHost } from './address.ts';

/** An allowlist entry is invalid. Thrown at start, so that a typo never widens what is allowed. */
export class AllowlistError extends Error {
  override readonly name = 'AllowlistError';
}

/**
 * @param entries CIDRs (`10.20.0.0/16`, `fd00:1::/32`) or single addresses. Empty entries are skipped.
 * @returns whether an address in canonical form is in one of them
 * @throws AllowlistError naming the first invalid entry
 */
export function createAllowlist(entries: readonly string[]): (address: string) => boolean {
  const ranges = entries
    .map(entry => entry.trim())
    .filter(entry => entry !== '')
    .map(parseEntry);
  return address => isWithin(ranges, ipaddr.process(address));
}

/**
 * Whether a source's normalized host is an IP address that the target guard refuses. Of a name, only a scan can decide: what it resolves to
 * may change.
 *
 * @param allowlist as for the target guard
 * @throws AllowlistError
 */
export function blockedAddress(allowlist: readonly string[]): (host: string) => boolean {
  const isAllowlisted = createAllowlist(allowlist);
  return host => {
    const url = /^https?:\/\//.test(host) ? host : `https://${host}`;
    const parsed = URL.canParse(url) ? parseHost(new URL(url).hostname) : null;
    return parsed?.kind === 'address' && !isAllowlisted(parsed.address) && !isPublicUnicast(parsed.address);
  };
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
      `"${entry.slice(0, 80)}" in PARAPET_TARGET_ALLOWLIST is invalid: ${error.message}`,
    );
  }
}
