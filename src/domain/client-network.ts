import ipaddr from 'ipaddr.js';
import { parseAddress } from '../contract/address-ranges.ts';

/** Networks of an address, each written as text; what is no address stays as it is. */
interface Networks {
  /**
   * What counts as one client: an IPv4 address, or the /64 of an IPv6 address, since a provider's customer has at least that (RFC 6177).
   * An IPv4 address in an IPv6 form is that IPv4 address.
   */
  readonly client: string;
  /**
   * What one organization may have at most of its own: the /24 of an IPv4 address, or the /48 of an IPv6 address (RFC 6177, section 2).
   * For sharing what all who use it may go on having a part of.
   */
  readonly site: string;
}

export function networksOf(address: string): Networks {
  const parsed = parseAddress(address);
  if (!parsed) return { client: address, site: address };
  if (parsed instanceof ipaddr.IPv6) return { client: networkOf(parsed, 4), site: networkOf(parsed, 3) };
  const site = `${(parsed as ipaddr.IPv4).octets.slice(0, 3).join('.')}.0/24`;
  return { client: parsed.toString(), site };
}

/** See `Networks.client`. */
export function clientNetwork(address: string): string {
  return networksOf(address).client;
}

/** @param parts of 16 bits that are the network's */
function networkOf(address: ipaddr.IPv6, parts: number): string {
  const network = address.parts.slice(0, parts).map(part => part.toString(16));
  return `${network.join(':')}::/${parts * 16}`;
}
