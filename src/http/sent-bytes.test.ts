import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { sentBytes } from './sent-bytes.ts';

/** A connection whose peer reads nothing, with more to send than any buffer takes. */
async function stalled(): Promise<Socket> {
  const server = createServer(socket => void socket.on('error', () => {}).pause());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(() => {
    socket.destroy();
    server.close();
  });
  await once(socket, 'connect');
  socket.write(Buffer.alloc(64 * 1024 * 1024));
  return socket;
}

it('counts bytes that the kernel took of one large write', async () => {
  const sent = sentBytes(await stalled());
  expect(sent, 'this release of Node has the counts').toBeGreaterThan(0);
  expect(sent).toBeLessThan(64 * 1024 * 1024);
});

it('falls back if the Node release lacks the counters', async () => {
  const socket = await stalled();
  const { _handle: handle } = socket as unknown as { _handle: object };
  Object.defineProperty(handle, 'writeQueueSize', { value: undefined });
  expect(sentBytes(socket)).toBe(0);
});
