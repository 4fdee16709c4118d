import ipaddr from 'ipaddr.js';
import { parseAddress } from '../contract/address-ranges.ts';

/** Networks of an address, as text. Text that is not an IP address is returned unchanged. */
export interface Networks {
  /**
   * One client: an IPv4 address, or the /64 of an IPv6 address, the smallest network that providers assign (RFC 6177). IPv4-mapped
   * IPv6 counts as IPv4.
   */
  readonly client: string;
  /**
   * One site: the /24 of an IPv4 address, or the /48 of an IPv6 address (RFC 6177, section 2). That of 6to4 has the whole IPv4
   * address of its site (RFC 3056, section 2), which counts.
   */
  readonly site: string;
}

export function networksOf(address: string): Networks {
  const parsed = parseAddress(address);
  if (!parsed) return { client: address, site: address };
  if (parsed instanceof ipaddr.IPv6) {
    const isSixToFour = parsed.parts[0] === 0x2002;
    const site = isSixToFour ? siteOf(parsed.toByteArray().slice(2)) : networkOf(parsed, 3);
    return { client: networkOf(parsed, 4), site };
  }
  return { client: parsed.toString(), site: siteOf((parsed as ipaddr.IPv4).octets) };
}

/** The /24 of an IPv4 address with these bytes. */
const siteOf = (bytes: readonly number[]) => `${bytes.slice(0, 3).join('.')}.0/24`;

export function clientNetwork(address: string): string {
  return networksOf(address).client;
}

/** @param parts length of the prefix in units of 16 bits */
function networkOf(address: ipaddr.IPv6, parts: number): string {
  const network = address.parts.slice(0, parts).map(part => part.toString(16));
  return `${network.join(':')}::/${parts * 16}`;
}
