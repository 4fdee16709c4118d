import ipaddr from 'ipaddr.js';
import { parseAddress } from '../contract/address-ranges.ts';

/**
 * What counts as one client: an IPv4 address, or the /64 of an IPv6 address, since a provider's customer has at least that
 * (RFC 6177). An IPv4 address in an IPv6 form is that IPv4 address; what is no address stays as it is.
 */
export function clientNetwork(address: string): string {
  const parsed = parseAddress(address);
  if (!parsed) return address;
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  return networkOf(parsed, 4);
}

/**
 * A network that one organization may have at most of its own: the /24 of an IPv4 address, or the /48 of an IPv6 address (RFC 6177,
 * section 2). For sharing what all who use it may go on having a part of.
 */
export function siteNetwork(address: string): string {
  const parsed = parseAddress(address);
  if (!parsed) return address;
  if (parsed instanceof ipaddr.IPv6) return networkOf(parsed, 3);
  return `${(parsed as ipaddr.IPv4).octets.slice(0, 3).join('.')}.0/24`;
}

/** @param parts of 16 bits that are the network's */
function networkOf(address: ipaddr.IPv6, parts: number): string {
  const network = address.parts.slice(0, parts).map(part => part.toString(16));
  return `${network.join(':')}::/${parts * 16}`;
}
