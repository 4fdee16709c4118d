import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { startService, type TestService } from '../support/service.ts';

let service: TestService | undefined;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await service?.close();
});

/** Whether the server responds on a new connection from the address. */
async function isServed(localAddress: string): Promise<boolean> {
  const port = Number(new URL(service!.url).port);
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  sockets.push(socket);
  socket.on('error', () => {});
  socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
  return Promise.race([once(socket, 'data'), once(socket, 'close').then(() => Promise.reject())]).then(
    () => true,
    () => false,
  );
}

it('refuses more connections from one address, but not from others', async () => {
  service = await startService({ trustedProxies: ['127.0.0.3'], transport: { connectionsPerAddress: 3 } });
  for (let index = 0; index < 3; index++) expect(await isServed('127.0.0.1')).toBe(true);
  expect(await isServed('127.0.0.1')).toBe(false);
  expect(await isServed('127.0.0.2')).toBe(true);
  for (let index = 0; index < 5; index++) expect(await isServed('127.0.0.3'), 'a trusted proxy').toBe(true);
  expect(await service.metrics.text()).toMatch(/connections_refused_total\{limit="address"\} 1/);
  // A closed connection makes room.
  sockets[0]!.destroy();
  await expect.poll(() => isServed('127.0.0.1')).toBe(true);
});

it('refuses more connections from one site, but not from others', async () => {
  service = await startService({
    trustedProxies: ['127.0.9.1'],
    transport: { connections: 16, connectionsPerAddress: 2 },
  });
  for (let index = 0; index < 4; index++) expect(await isServed(`127.0.0.${index + 1}`)).toBe(true);
  expect(await isServed('127.0.0.9')).toBe(false);
  expect(await isServed('127.0.1.9')).toBe(true);
  expect(await service.metrics.text()).toMatch(/connections_refused_total\{limit="site"\} 1/);
  sockets[0]!.destroy();
  await expect.poll(() => isServed('127.0.0.9')).toBe(true);
});

it('refuses connections over the total limit, including those of a trusted proxy', async () => {
  service = await startService({ transport: { connections: 4 } });
  for (let index = 0; index < 4; index++) expect(await isServed(`127.0.0.${index + 1}`)).toBe(true);
  expect(await isServed('127.0.0.9')).toBe(false);
  expect(await service.metrics.text()).toMatch(/connections_refused_total\{limit="all"\} 1/);
});

it('reserves some for trusted proxies', async () => {
  service = await startService({ trustedProxies: ['127.0.9.1'], transport: { connections: 8 } });
  for (let index = 0; index < 7; index++) expect(await isServed(`127.0.${index + 1}.1`)).toBe(true);
  expect(await isServed('127.0.20.1')).toBe(false);
  expect(await isServed('127.0.9.1'), 'a trusted proxy').toBe(true);
  expect(await service.metrics.text()).toMatch(/connections_refused_total\{limit="all"\} 1/);
});

it('closes unused connections without waiting for them', async () => {
  service = await startService();
  expect(await isServed('127.0.0.1')).toBe(true);
  const silent = connect({ port: Number(new URL(service.url).port), host: '127.0.0.1' });
  sockets.push(silent.on('error', () => {}));
  await once(silent, 'connect');
  // Accepted after the previous one.
  expect(await isServed('127.0.0.1')).toBe(true);
  const ended = new Promise(resolve => silent.resume().once('close', resolve));
  await service.close();
  service = undefined;
  await ended;
});
