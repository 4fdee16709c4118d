import { once } from 'node:events';
import net from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { testCertificate } from '../../../test/support/certificates.ts';
import { dhParameters } from '../../../test/support/dh-parameters.ts';
import { httpsServer, rawServer, type TestServer } from '../../../test/support/website.ts';
import { dhGroupBits } from './dh-group.ts';

let server: TestServer | undefined;
afterEach(() => server?.close());

async function bitsOf(started: Promise<TestServer>) {
  server = await started;
  const socket = net.connect(server.port, '127.0.0.1');
  await once(socket, 'connect');
  return dhGroupBits(socket, 'site.example');
}

/** Answers the ClientHello. */
const answering = (answer: (socket: net.Socket) => void) =>
  rawServer(socket => socket.once('data', () => answer(socket)));

const vector = (lengthBytes: number, data: Buffer) => {
  const length = Buffer.alloc(lengthBytes);
  length.writeUIntBE(data.length, 0, lengthBytes);
  return Buffer.concat([length, data]);
};
const message = (type: number, content: Buffer) => Buffer.concat([Buffer.from([type]), vector(3, content)]);
const record = (...messages: Buffer[]) =>
  Buffer.concat([Buffer.from([0x16, 3, 3]), vector(2, Buffer.concat(messages))]);

/** A server's messages with a key exchange whose prime has these bytes. OpenSSL refuses groups below 1,024 bits. */
const exchanging = (prime: Buffer) =>
  answering(socket => {
    const exchange = Buffer.concat([vector(2, prime), vector(2, Buffer.from([2])), vector(2, prime)]);
    socket.write(record(message(2, Buffer.alloc(40)), message(11, Buffer.alloc(3))));
    socket.write(record(message(12, exchange), message(14, Buffer.alloc(0))));
  });

it.each([
  [512, Buffer.alloc(64, 0xff)],
  [768, Buffer.concat([Buffer.from([0]), Buffer.alloc(96, 0xff)])],
  [1023, Buffer.concat([Buffer.from([0x7f]), Buffer.alloc(127, 1)])],
])('reads a prime of %i bits', async (bits, prime) => {
  expect(await bitsOf(exchanging(prime))).toBe(bits);
});

const { key, certificate: cert } = testCertificate({ key: 'rsa2048' });
const ciphers = 'ECDHE+AESGCM:DHE+AES:@SECLEVEL=0';

it.each([
  ['modp2', 1024],
  ['modp5', 1536],
  ['modp14', 2048],
])('reads the group %s of a server of OpenSSL', async (group, bits) => {
  const options = { key, cert, ciphers, dhparam: dhParameters(group) };
  expect(await bitsOf(httpsServer(options, () => {}))).toBe(bits);
});

it('reads no group of a server that refuses such suites', async () => {
  expect(await bitsOf(httpsServer({ key, cert, ciphers: 'ECDHE+AESGCM' }, () => {}))).toBeNull();
  await server?.close();
  expect(await bitsOf(httpsServer({ key, cert, minVersion: 'TLSv1.3' }, () => {}))).toBeNull();
});

it.each([
  ['ends', (socket: net.Socket) => socket.end()],
  ['resets', (socket: net.Socket) => socket.resetAndDestroy()],
])('says if the server %s the connection', async (_, end) => {
  expect(await bitsOf(answering(socket => void end(socket)))).toBe('closed');
});

it.each([
  ['no TLS', (socket: net.Socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
  ['no key exchange', (socket: net.Socket) => socket.end(record(message(14, Buffer.alloc(0))))],
  ['an empty prime', (socket: net.Socket) => socket.end(record(message(12, Buffer.from([0, 0]))))],
  ['half a length', (socket: net.Socket) => socket.end(record(message(12, Buffer.from([1]))))],
])('is inconclusive after %s', async (_, answer) => {
  await expect(bitsOf(answering(socket => void answer(socket)))).rejects.toThrow(/TLS/);
});
