import { isIPv4, isIPv6 } from 'node:net';
import type { PostgresHbaRule } from '../../../captures/postgres.ts';

/** Networks of organizations themselves, which are not on the internet (RFC 1918, 6598, 3927): first and last number. */
const privateNetworks: readonly (readonly [first: number, last: number])[] = [
  ['10.0.0.0', '10.255.255.255'],
  ['172.16.0.0', '172.31.255.255'],
  ['192.168.0.0', '192.168.255.255'],
  ['100.64.0.0', '100.127.255.255'],
  ['169.254.0.0', '169.254.255.255'],
  ['127.0.0.0', '127.255.255.255'],
].map(([first, last]) => [numberOf(first!), numberOf(last!)]);

/** How much of the internet a rule admits: `half` means an eighth or more. All of it is another check’s. */
export function widthOf({ address, netmask }: PostgresHbaRule): 'half' | 'wide' | 'domain' | null {
  if (address === null) return null;
  if (address.startsWith('.')) return 'domain';
  if (netmask === null) return null;
  if (isIPv4(address) && isIPv4(netmask)) {
    const size = 2 ** 32 - numberOf(netmask);
    const first = Math.floor(numberOf(address) / size) * size;
    if (privateNetworks.some(([from, to]) => first >= from && first + size - 1 <= to)) return null;
    if (size >= 2 ** 29) return 'half';
    return size > 2 ** 16 ? 'wide' : null;
  }
  if (!isIPv6(address) || !isIPv6(netmask)) return null;
  const bits = groupsOf(netmask).reduce(
    (sum, group) => sum + group.toString(2).replaceAll('0', '').length,
    0,
  );
  const [top = 0] = groupsOf(address);
  // Unique local and link-local addresses (RFC 4193, 4291).
  if ((top & 0xfe00) === 0xfc00 || (top & 0xffc0) === 0xfe80) return null;
  // Of all global addresses, 2000::/3 is in use.
  if (bits <= 6) return 'half';
  return bits < 32 ? 'wide' : null;
}

function numberOf(address: string): number {
  return address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
}

/** The eight groups of an IPv6 address as the server writes it. */
function groupsOf(address: string): readonly number[] {
  const [head = '', tail] = address.split('::');
  const parse = (part: string) =>
    part === '' ? [] : part.split(':').map(group => Number.parseInt(group, 16) || 0);
  const [first, last] = [parse(head), parse(tail ?? '')];
  return [...first, ...Array<number>(Math.max(0, 8 - first.length - last.length)).fill(0), ...last];
}
