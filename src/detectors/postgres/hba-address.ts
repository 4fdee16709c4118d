import type { PostgresHbaRule } from '../../captures/postgres.ts';

/** The rule admits, or rejects, every address of IPv4 or of IPv6. With an empty mask the address does not matter. */
export function coversAllAddresses({ type, address, netmask }: PostgresHbaRule): boolean {
  return type !== 'local' && (address === 'all' || netmask === '0.0.0.0' || netmask === '::');
}

/** The rule is about clients on the server's own machine. */
export function isLocal({ type, address, netmask }: PostgresHbaRule): boolean {
  if (type === 'local' || address === 'samehost' || address === 'localhost') return true;
  if (address === '::1') return netmask === 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff';
  return (address ?? '').startsWith('127.') && (netmask ?? '').startsWith('255.');
}

/**
 * The rules that can come to decide: the server takes the first that fits, so that none counts after one that rejects
 * everybody from everywhere.
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
  // A rule for sockets is not in the way of the one that rejects.
  return [...rules.slice(0, last), ...rules.slice(last).filter(({ type }) => type === 'local')];
}
