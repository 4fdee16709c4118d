import type { RequestListener } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { shareTurns } from './share-turns.ts';

type Request = Parameters<RequestListener>[0];

/** Calls the listener as for requests that came in one turn of the event loop; says who was answered in which turn. */
async function turnsOf(clients: readonly string[], late: readonly string[] = []): Promise<string[][]> {
  const answered: string[][] = [[]];
  const listener = shareTurns(({ socket }) => void answered.at(-1)!.push(socket.remoteAddress!));
  const ask = (remoteAddress: string) =>
    listener({ socket: { remoteAddress, destroyed: false }, headers: {} } as Request, {} as never);
  for (const client of clients) ask(client);
  while (answered.flat().length < clients.length + late.length) {
    answered.push([]);
    await setImmediate();
    if (answered.length === 3) for (const client of late) ask(client);
  }
  return answered;
}

const many = (client: string, count: number) => Array<string>(count).fill(client);
const networks = (count: number) => Array.from({ length: count }, (_, index) => `10.0.${index}.1`);
const [own, other] = ['192.0.2.1', '192.0.2.2'];

it('begins a few requests of each client in a turn, and all in the end', async () => {
  const turns = await turnsOf([...many(own, 50), other]);
  expect(turns[0]).toEqual([...many(own, 4), other]);
  expect(turns.flat().filter(client => client === own)).toHaveLength(50);
  for (const turn of turns) expect(turn.length).toBeLessThanOrEqual(5);
});

it('begins a few requests of all clients in a turn, of each in its order, and first those of who has not asked lately', async () => {
  const clients = networks(100).flatMap(network => many(network, 5));
  const turns = await turnsOf(clients, [own]);
  for (const turn of turns) expect(turn.length).toBeLessThanOrEqual(16);
  expect(turns.length).toBeLessThan(2 * (501 / 16));
  expect(
    turns.findIndex(turn => turn.includes(own)),
    'of the late one',
  ).toBeLessThan(12);
  expect(turns.flat()).toHaveLength(501);
});

it('takes the addresses of one customer of a provider for one client', async () => {
  const [first] = await turnsOf(Array.from({ length: 20 }, (_, index) => `2001:db8::${index}`));
  expect(first).toHaveLength(4);
});
