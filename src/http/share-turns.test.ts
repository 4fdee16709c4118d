import type { RequestListener } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { shareTurns } from './share-turns.ts';

type Request = Parameters<RequestListener>[0];

/** Calls the listener as for requests that came in one turn of the event loop; says who was answered in which turn. */
async function turnsOf(clients: readonly string[]): Promise<string[][]> {
  const answered: string[][] = [[]];
  const listener = shareTurns(({ socket }) => void answered.at(-1)!.push(socket.remoteAddress!));
  for (const remoteAddress of clients) {
    listener({ socket: { remoteAddress, destroyed: false }, headers: {} } as Request, {} as never);
  }
  while (answered.flat().length < clients.length) {
    answered.push([]);
    await setImmediate();
  }
  return answered;
}

const many = (client: string, count: number) => Array<string>(count).fill(client);

it('begins a few requests of each client in a turn, and all in the end', async () => {
  const [own, other] = ['192.0.2.1', '192.0.2.2'];
  const turns = await turnsOf([...many(own, 50), other]);
  expect(turns[0]).toEqual([...many(own, 4), other]);
  expect(turns.flat().filter(client => client === own)).toHaveLength(50);
  for (const turn of turns) expect(turn.length).toBeLessThanOrEqual(5);
});

it('takes the addresses of one customer of a provider for one client', async () => {
  const [first] = await turnsOf(Array.from({ length: 20 }, (_, index) => `2001:db8::${index}`));
  expect(first).toHaveLength(4);
});
