import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { createHttpServer, drain } from './http-server.ts';
import { defaultTransportLimits } from './transport-limits.ts';

it('drains: answers what clients still send, and closes each connection with its answer', async () => {
  const answers: ServerResponse[] = [];
  const server = createHttpServer(
    (request, response) => {
      if (request.url === '/slow') answers.push(response);
      else response.end('quick');
    },
    defaultTransportLimits,
    () => false,
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const open = () => connect(port, '127.0.0.1');
  const ask = (socket: Socket, path: string) => socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
  const heard = async (socket: Socket) => String((await once(socket, 'data'))[0]);

  const idle = open();
  ask(idle, '/');
  expect(await heard(idle)).toMatch(/^Connection: keep-alive\r$/m);
  const busy = open();
  ask(busy, '/slow');
  await expect.poll(() => answers.length).toBe(1);

  let isDrained = false;
  const drained = drain(server).then(() => {
    isDrained = true;
  });
  await expect(once(open(), 'connect')).rejects.toThrow('ECONNREFUSED');
  // Later than when a server closes its idle connections.
  await new Promise(resolve => setTimeout(resolve, 100));
  ask(idle, '/');
  expect(await heard(idle)).toMatch(/^connection: close\r$.*quick$/ims);
  expect(isDrained).toBe(false);
  answers[0]!.end('slow');
  expect(await heard(busy)).toMatch(/^connection: close\r$.*slow$/ims);
  await drained;
});
