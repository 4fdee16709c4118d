import { expect, it } from 'vitest';
import { HostPermits } from './host-permits.ts';

/** Starts inspections and lists those that run; `end` ends one. */
function inspections(permits: HostPermits) {
  const running = new Map<string, () => void>();
  const ended: Promise<void>[] = [];
  return {
    running: () => [...running.keys()],
    begin: (name: string, host: string, organizationId: string) => {
      const work = () => new Promise<void>(resolve => running.set(name, resolve));
      ended.push(permits.use(host, { holder: organizationId }, work));
    },
    end: async (name: string) => {
      running.get(name)!();
      running.delete(name);
      await new Promise(setImmediate);
    },
    all: () => Promise.all(ended),
  };
}

it('runs two inspections of a host at once, and alternates between organizations', async () => {
  const { begin, end, running, all } = inspections(new HostPermits(() => false));
  for (const [index, host] of ['shop.example', 'SHOP.example:8443', 'http://shop.example/a'].entries())
    begin(`one ${index}`, host, 'one');
  begin('two', 'https://shop.example', 'two');
  begin('elsewhere', 'www.shop.example', 'one');
  expect(running()).toEqual(['one 0', 'one 1', 'elsewhere']);
  await end('one 0');
  expect(running(), 'the other organization is next').toEqual(['one 1', 'elsewhere', 'two']);
  await end('one 1');
  expect(running()).toEqual(['elsewhere', 'two', 'one 2']);
  for (const name of running()) await end(name);
  await all();
});

it("does not limit the operator's own hosts", () => {
  const { begin, running } = inspections(new HostPermits(host => host.startsWith('127.')));
  for (let index = 0; index < 5; index += 1) begin(`${index}`, '127.0.0.1:80', 'one');
  expect(running()).toHaveLength(5);
});

it('counts the inspections that wait for their host', async () => {
  const permits = new HostPermits(() => false);
  const { begin, end, all } = inspections(permits);
  for (const name of ['one', 'two', 'three']) begin(name, 'shop.example', 'one');
  expect(permits.waiting).toBe(1);
  const gone = new AbortController();
  const aborted = permits.use('shop.example', { holder: 'one', signal: gone.signal }, async () => {});
  expect(permits.waiting).toBe(2);
  gone.abort();
  await aborted.catch(() => {});
  expect(permits.waiting).toBe(1);
  await end('one');
  expect(permits.waiting).toBe(0);
  for (const name of ['two', 'three']) await end(name);
  await all();
});
