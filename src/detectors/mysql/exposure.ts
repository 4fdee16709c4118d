/**
 * Whether the server listens where other machines can reach it. Without a network listener, or on loopback only,
 * nothing that it says crosses a network.
 *
 * @returns undefined when the settings do not tell
 */
export function listensToNetwork(variables: Readonly<Record<string, string>>): boolean | undefined {
  const { skip_networking, bind_address } = variables;
  if (skip_networking === 'ON') return false;
  if (bind_address === undefined) return undefined;
  // Several addresses since MySQL 8.0.13 and MariaDB 10.11, each perhaps with a network namespace behind a slash.
  const addresses = bind_address.split(',').map(address => address.trim().split('/')[0]!.toLowerCase());
  return !addresses.every(
    address => address === 'localhost' || address === '::1' || /^127(?:\.\d{1,3}){3}$/.test(address),
  );
}
