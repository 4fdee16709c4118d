/**
 * Who can reach the server over TCP: other machines (`network`), its own (`loopback`, which crosses no
 * network), or none (`none`).
 *
 * @returns undefined if the settings do not show it
 */
export function listensTo(
  variables: Readonly<Record<string, string>>,
): 'network' | 'loopback' | 'none' | undefined {
  const { skip_networking, bind_address } = variables;
  if (skip_networking === 'ON') return 'none';
  if (bind_address === undefined) return undefined;
  // Since MySQL 8.0.13 and MariaDB 10.11, a list of addresses, each with an optional network namespace after
  // a slash.
  const addresses = bind_address.split(',').map(address => address.trim().split('/')[0]!.toLowerCase());
  const isLoopback = (address: string) =>
    address === 'localhost' || address === '::1' || /^127(?:\.\d{1,3}){3}$/.test(address);
  return addresses.every(isLoopback) ? 'loopback' : 'network';
}
