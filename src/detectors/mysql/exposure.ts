import { isLoopback, type Reach } from '../reach.ts';

/** Who can reach the server, by its settings. */
export function listensTo(variables: Readonly<Record<string, string>>): Reach {
  const { skip_networking, bind_address } = variables;
  if (skip_networking === 'ON') return 'none';
  if (bind_address === undefined) return undefined;
  // Since MySQL 8.0.13 and MariaDB 10.11, a list of addresses, each with an optional network namespace after
  // a slash.
  const addresses = bind_address.split(',').map(address => address.trim().split('/')[0]!.toLowerCase());
  return addresses.every(isLoopback) ? 'loopback' : 'network';
}
