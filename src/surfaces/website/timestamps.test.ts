import { once } from 'node:events';
import net from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { testCertificate } from '../../../test/support/certificates.ts';
import { httpsServer, rawServer, type TestServer } from '../../../test/support/website.ts';
import { sendsTimestamps } from './timestamps.ts';

let server: TestServer | undefined;
afterEach(() => server?.close());

async function ask(started: Promise<TestServer>) {
  server = await started;
  const socket = net.connect(server.port, '127.0.0.1');
  await once(socket, 'connect');
  return sendsTimestamps(socket, 'site.example');
}

/** A ServerHello with extensions, and the end of the server's messages. */
function hello(extensions: Buffer): Buffer {
  const content = Buffer.concat([Buffer.alloc(34), Buffer.from([0, 0xc0, 0x2f, 0]), extensions]);
  const messages = [Buffer.from([2, 0, 0, content.length]), content, Buffer.from([14, 0, 0, 0])];
  const all = Buffer.concat(messages);
  return Buffer.concat([Buffer.from([0x16, 3, 3, 0, all.length]), all]);
}

it.each([
  [true, Buffer.from([0, 12, 0, 23, 0, 0, 0, 18, 0, 4, 0, 2, 0, 0])],
  [false, Buffer.from([0, 4, 0, 23, 0, 0])],
  [false, Buffer.from([0, 9, 0, 18])],
  [false, Buffer.alloc(0)],
])('finds %s in a server’s extensions', async (found, extensions) => {
  expect(await ask(rawServer(socket => socket.once('data', () => socket.write(hello(extensions)))))).toBe(
    found,
  );
});

it('finds none at a server of OpenSSL, and does not know about TLS 1.3', async () => {
  const { key, certificate: cert } = testCertificate();
  expect(await ask(httpsServer({ key, cert }, () => {}))).toBe(false);
  await server?.close();
  expect(await ask(httpsServer({ key, cert, minVersion: 'TLSv1.3' }, () => {}))).toBeNull();
});
