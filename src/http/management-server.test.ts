import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createManagementServer } from './management-server.ts';
import { Metrics } from './metrics.ts';

const connections = 60;

it('computes metrics once for all who ask at a time, and begins a few answers in a turn', async () => {
  let [computed, turn] = [0, 0];
  const begun: number[] = [];
  class CountingMetrics extends Metrics {
    override text() {
      computed += 1;
      return super.text();
    }
  }
  const assertReady = async () => {
    begun[turn] = (begun[turn] ?? 0) + 1;
  };
  const server = createManagementServer({ metrics: new CountingMetrics(), assertReady, host: 'localhost' });
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const sockets = Array.from({ length: connections }, () => connect((server.address() as AddressInfo).port));
  onTestFinished(() => sockets.forEach(socket => void socket.destroy()));
  const ask = async (path: string) => {
    const answers = sockets.map(socket => once(socket, 'data'));
    for (const socket of sockets) socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    return (await Promise.all(answers)).map(([bytes]) => String(bytes).slice(9, 12));
  };
  expect(new Set(await ask('/metrics'))).toEqual(new Set(['200']));
  expect(computed).toBe(1);
  let done = false;
  const next = () => {
    turn += 1;
    if (!done) setImmediate(next);
  };
  setImmediate(next);
  await ask('/readyz');
  done = true;
  expect(begun.reduce((sum, count) => sum + (count ?? 0), 0)).toBe(connections);
  expect(Math.max(...begun.filter(count => count !== undefined))).toBeLessThanOrEqual(4);
});
