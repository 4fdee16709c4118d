import { expect, it } from 'vitest';
import { Readiness } from '../http/readiness.ts';
import { drainBeforeStop } from './service.ts';

it('reports that it stops before it waits for load balancers', async () => {
  const readiness = new Readiness({
    system: { ping: async () => {}, isTooNew: async () => false },
    pools: () => [],
  });
  const service = { unready: () => readiness.drain() };
  const seen: Promise<string>[] = [readiness.status()];
  await drainBeforeStop(service, { drainSeconds: 0.001 }, { info: () => void seen.push(readiness.status()) });
  expect(await Promise.all(seen)).toEqual(['ready', 'draining']);
});
