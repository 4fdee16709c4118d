import ipaddr from 'ipaddr.js';
import type { PostgresHbaRule } from '../../captures/postgres.ts';

/**
 * Whether the rule covers every IPv4 or every IPv6 address. With an empty mask, the address does not matter.
 */
export function coversAllAddresses({ type, address, netmask }: PostgresHbaRule): boolean {
  return type !== 'local' && (address === 'all' || netmask === '0.0.0.0' || netmask === '::');
}

/** Whether the rule is for clients on the server's own machine. */
export function isLocal({ type, address, netmask }: PostgresHbaRule): boolean {
  if (type === 'local' || address === 'samehost' || address === 'localhost') return true;
  if (address === '::1') return netmask === 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff';
  return (address ?? '').startsWith('127.') && (netmask ?? '').startsWith('255.');
}

const longestAddress = 64;

/** Whether a client that connects over loopback may match the rule. Names are not resolved. */
export function mayAdmitLoopback({ address, netmask }: PostgresHbaRule): boolean {
  if (address === null || netmask === null) return true;
  if (address.length > longestAddress || netmask.length > longestAddress) return true;
  if (!ipaddr.isValid(address) || !ipaddr.isValid(netmask)) return true;
  const [network, mask] = [ipaddr.parse(address), ipaddr.parse(netmask)];
  const length = mask.prefixLengthFromSubnetMask();
  if (length === null || network.kind() !== mask.kind()) return true;
  return ipaddr.parse(network.kind() === 'ipv4' ? '127.0.0.1' : '::1').match(network, length);
}

/**
 * The rules that can take effect: the server uses the first match, so none after a rule that rejects every
 * client.
 */
export function effectiveRules(rules: readonly PostgresHbaRule[]): readonly PostgresHbaRule[] {
  const last = rules.findIndex(
    ({ type, databases, users, address, method }) =>
      type === 'host' &&
      method === 'reject' &&
      address === 'all' &&
      databases.includes('all') &&
      users.includes('all'),
  );
  if (last === -1) return rules;
  // A rule that rejects network clients does not affect rules for sockets.
  return [...rules.slice(0, last), ...rules.slice(last).filter(({ type }) => type === 'local')];
}
