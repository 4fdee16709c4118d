import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createManagementServer } from './management-server.ts';
import { Metrics } from './metrics.ts';

const connections = 40;

it('computes metrics once for concurrent requests, and starts a few answers in a turn', async () => {
  let [computed, turn] = [0, 0];
  const begun: number[] = [];
  class CountingMetrics extends Metrics {
    override text() {
      computed += 1;
      return super.text();
    }
  }
  const readiness = async () => {
    begun[turn] = (begun[turn] ?? 0) + 1;
    return 'ready' as const;
  };
  const server = createManagementServer({ metrics: new CountingMetrics(), readiness, host: 'localhost' });
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

it('limits a client to one line and half of the connections, and ignores forwarded addresses', async () => {
  const begun: number[] = [];
  let turn = 0;
  const readiness = async () => {
    begun[turn] = (begun[turn] ?? 0) + 1;
    return 'ready' as const;
  };
  const server = createManagementServer({ metrics: new Metrics(), readiness, host: 'localhost' });
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const open = async (count: number, localAddress: string) => {
    const sockets = Array.from({ length: count }, () => connect({ port, host: '127.0.0.1', localAddress }));
    onTestFinished(() => sockets.forEach(socket => void socket.destroy()));
    for (const socket of sockets) socket.on('error', () => {});
    const answered = sockets.map((socket, index) => {
      socket.write(`GET /readyz HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 192.0.${index}.1\r\n\r\n`);
      return new Promise(resolve =>
        socket.once('data', () => resolve(true)).once('close', () => resolve(false)),
      );
    });
    return (await Promise.all(answered)).filter(isAnswered => isAnswered).length;
  };
  let done = false;
  const next = () => {
    turn += 1;
    if (!done) setImmediate(next);
  };
  setImmediate(next);
  expect(await open(60, '127.0.0.1')).toBe(50);
  done = true;
  expect(Math.max(...begun.filter(count => count !== undefined))).toBeLessThanOrEqual(4);
  expect(await open(1, '127.0.1.1')).toBe(1);
});
