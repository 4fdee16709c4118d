import ipaddr from 'ipaddr.js';
import { type AddressRange, isWithin, parseAddress } from '../contract/address-ranges.ts';

/**
 * Returns a test for addresses of trusted proxies. Text that is not an IP address is not trusted.
 *
 * @param trustedProxies addresses and CIDRs
 */
export function proxyTest(trustedProxies: readonly string[]): (address: string) => boolean {
  const ranges = trustedProxies.map(parseRange);
  return text => {
    const address = parseAddress(text);
    return address !== undefined && isWithin(ranges, address);
  };
}

function parseRange(text: string): AddressRange {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text);
  const address = ipaddr.process(text);
  return [address, address.kind() === 'ipv6' ? 128 : 32];
}
