import type { Scope } from '../../contract/keys.ts';
import type { Client } from '../client.ts';

/**
 * Finds out which scopes of the tools the key has. No route names them, but the scope is checked before the body: a request for a scan without a
 * target is 403 without `scans:write`, and 400 with it. Neither starts a scan.
 *
 * @returns undefined if unknown, for example because the service is down or the key is expired
 */
export async function readScopes(
  client: Client,
  signal: AbortSignal,
): Promise<ReadonlySet<Scope> | undefined> {
  const [read, write] = await Promise.all([
    client.send('GET', '/api/v1/systems?limit=1', { signal }),
    client.send('POST', '/api/v1/scans', { body: '{}', repeatable: true, signal }),
  ]).catch(() => []);
  if (!read || !write || ![200, 403].includes(read.status) || ![400, 403].includes(write.status)) {
    return undefined;
  }
  const scopes = new Set<Scope>();
  if (read.status === 200) scopes.add('findings:read');
  if (write.status === 400) scopes.add('scans:write');
  return scopes;
}
