import type { MysqlCapture } from '../../captures/mysql.ts';
import { isLoopback, type Reach } from '../reach.ts';
import { productOf } from './product.ts';

/** Undefined if the settings do not show it, or a managed service may pass connections on to the server. */
export function reachOf({ variables, over }: MysqlCapture): Reach {
  if (!variables.assessed || productOf(variables.value).managedBy !== null) return undefined;
  return listensTo(variables.value, over);
}

/** Who can reach the server, by its settings. A connection from another machine shows that something forwards to it. */
export function listensTo(variables: Readonly<Record<string, string>>, over: MysqlCapture['over']): Reach {
  const { skip_networking, bind_address } = variables;
  if (over === 'network') return 'network';
  if (skip_networking === 'ON') return 'none';
  if (bind_address === undefined) return undefined;
  // MySQL's X Plugin and administrative interface have the same accounts, each with its own address if it is on.
  const further = [variables.mysqlx_bind_address, variables.admin_address].filter(Boolean);
  // Since MySQL 8.0.13 and MariaDB 10.11, a list of addresses, each with an optional network namespace after
  // a slash.
  const addresses = [bind_address, ...further]
    .join()
    .split(',')
    .map(address => address.trim().split('/')[0]!.toLowerCase());
  return addresses.every(isLoopback) ? 'loopback' : 'network';
}
