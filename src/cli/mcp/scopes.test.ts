import { expect, it } from 'vitest';
import type { Client } from '../client.ts';
import { readScopes } from './scopes.ts';

/** A service that answers the two requests with these statuses. */
function clientOf(get: number | Error, post: number): Client {
  const send = async (method: string) => {
    if (get instanceof Error) throw get;
    return { status: method === 'GET' ? get : post };
  };
  return { send } as unknown as Client;
}

it.each([
  [200, 400, ['findings:read', 'scans:write']],
  [200, 403, ['findings:read']],
  [403, 400, ['scans:write']],
  [403, 403, []],
  [401, 401, undefined],
  [200, 500, undefined],
  [502, 400, undefined],
  [new Error('down'), 400, undefined],
])('reads from the statuses %s and %s that the key has %j', async (get, post, scopes) => {
  const found = await readScopes(clientOf(get, post), new AbortController().signal);
  expect(found && [...found]).toEqual(scopes);
});
