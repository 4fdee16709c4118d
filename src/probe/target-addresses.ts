import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { hostNameOf } from '../domain/host-name.ts';

/** The addresses of a target's host; none if its name does not resolve. */
export async function addressesOf(host: string): Promise<string[]> {
  const name = hostNameOf(host).replace(/^\[|\]$/g, '');
  if (isIP(name)) return [name];
  const found = await lookup(name, { all: true }).catch(() => []);
  return found.map(({ address }) => address);
}
