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
  const network = parsed.parts.slice(0, 4).map(part => part.toString(16));
  return `${network.join(':')}::/64`;
}
