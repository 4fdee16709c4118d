import ipaddr from 'ipaddr.js';

/** A CIDR of the allow-list is wrong. Thrown at start, so that a typing error never widens what is allowed. */
export class AllowlistError extends Error {
  override readonly name = 'AllowlistError';
}

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

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
  return address => {
    const parsed = ipaddr.process(address);
    return ranges.some(([network, bits]) => network.kind() === parsed.kind() && parsed.match(network, bits));
  };
}

function parseEntry(entry: string): Range {
  const [network = '', prefix, ...rest] = entry.split('/');
  const isIpv4 = ipaddr.IPv4.isValidFourPartDecimal(network);
  const isIpv6 = !isIpv4 && !network.includes('%') && ipaddr.IPv6.isValid(network);
  if (rest.length > 0 || !(isIpv4 || isIpv6)) throw wrong(entry, 'it is not an address or CIDR');
  const parsed = ipaddr.parse(network);
  if (parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress()) {
    throw wrong(entry, 'write IPv4 addresses as IPv4');
  }
  const width = isIpv4 ? 32 : 128;
  if (prefix === undefined) return [parsed, width];
  if (!/^\d{1,3}$/.test(prefix) || Number(prefix) > width) {
    throw wrong(entry, `the prefix length must be 0 to ${width}`);
  }
  const bits = Number(prefix);
  const canonical = isIpv4
    ? ipaddr.IPv4.networkAddressFromCIDR(`${network}/${bits}`)
    : ipaddr.IPv6.networkAddressFromCIDR(`${network}/${bits}`);
  if (canonical.toString() !== parsed.toString()) {
    throw wrong(entry, `it has bits set after the prefix; ${canonical.toString()}/${bits} may be meant`);
  }
  return [parsed, bits];
}

function wrong(entry: string, reason: string): AllowlistError {
  return new AllowlistError(`"${entry.slice(0, 80)}" in the target allow-list is wrong: ${reason}`);
}
