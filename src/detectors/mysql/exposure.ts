/**
 * Who can reach the server over TCP: other machines, programs on its own, or nobody. What it says on loopback crosses no
 * network.
 *
 * @returns undefined when the settings do not tell
 */
export function listensTo(
  variables: Readonly<Record<string, string>>,
): 'network' | 'loopback' | 'nobody' | undefined {
  const { skip_networking, bind_address } = variables;
  if (skip_networking === 'ON') return 'nobody';
  if (bind_address === undefined) return undefined;
  // Several addresses since MySQL 8.0.13 and MariaDB 10.11, each perhaps with a network namespace behind a slash.
  const addresses = bind_address.split(',').map(address => address.trim().split('/')[0]!.toLowerCase());
  const isLoopback = (address: string) =>
    address === 'localhost' || address === '::1' || /^127(?:\.\d{1,3}){3}$/.test(address);
  return addresses.every(isLoopback) ? 'loopback' : 'network';
}
