import { once } from 'node:events';
import net from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { testCertificate } from '../../../test/support/certificates.ts';
import { hasOpenssl, rawServer, startOpensslServer, type TestServer } from '../../../test/support/website.ts';
import type { WeakCiphers } from '../../captures/tls.ts';
import { weakCiphersAccepted } from './weak-ciphers.ts';

let server: TestServer | undefined;
afterEach(() => server?.close());

async function ask(onHello: (hello: Buffer, socket: net.Socket) => void, all = false): Promise<WeakCiphers> {
  server = await rawServer(socket => socket.once('data', hello => onHello(hello, socket)));
  const { port } = server;
  return weakCiphersAccepted(
    () => connectTo(port),
    async () => {},
    'site.example',
    all,
  );
}

async function connectTo(port: number): Promise<net.Socket> {
  const socket = net.connect(port, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

/** The suites that a ClientHello offers (RFC 5246, 7.4.1.2): after version, random and an empty session id. */
function offered(hello: Buffer): number[] {
  const length = hello.readUInt16BE(44);
  return Array.from({ length: length / 2 }, (_, index) => hello.readUInt16BE(46 + index * 2));
}

function serverHello(suite: number, sessionId = 32): Buffer {
  const hello = Buffer.alloc(44 + sessionId + 3);
  hello.set([0x16, 3, 3, 0, hello.length - 5, 2, 0, 0, hello.length - 9, 3, 3]);
  hello[43] = sessionId;
  hello.writeUInt16BE(suite, 44 + sessionId);
  return hello;
}

const alert = Buffer.from([0x15, 3, 3, 0, 2, 2, 40]);

/** The server does not know the name, and continues (RFC 6066, section 3). */
const warning = Buffer.from([0x15, 3, 3, 0, 2, 1, 112]);

const choosing = (supported: readonly number[]) => (hello: Buffer, socket: net.Socket) => {
  const suite = supported.find(number => offered(hello).includes(number));
  socket.end(suite === undefined ? alert : serverHello(suite));
};

it('reports the suites that the server accepts, one after the other', async () => {
  expect(await ask(choosing([10, 47]))).toEqual({
    chosen: ['TLS_RSA_WITH_3DES_EDE_CBC_SHA', 'TLS_RSA_WITH_AES_128_CBC_SHA'],
    is_complete: true,
  });
});

it('stops after two broken suites, unless it must find all', async () => {
  const supported = choosing([10, 5, 9, 49169, 47, 53]);
  expect(await ask(supported)).toEqual({
    chosen: ['TLS_RSA_WITH_3DES_EDE_CBC_SHA', 'TLS_RSA_WITH_RC4_128_SHA', 'TLS_RSA_WITH_AES_128_CBC_SHA'],
    is_complete: false,
  });
  await server?.close();
  expect(await ask(supported, true)).toEqual({
    chosen: [
      'TLS_RSA_WITH_3DES_EDE_CBC_SHA',
      'TLS_RSA_WITH_RC4_128_SHA',
      'TLS_RSA_WITH_DES_CBC_SHA',
      'TLS_ECDHE_RSA_WITH_RC4_128_SHA',
      'TLS_RSA_WITH_AES_128_CBC_SHA',
    ],
    is_complete: true,
  });
});

it('reads an answer in pieces, without a session id', async () => {
  const { chosen } = await ask((hello, socket) => {
    if (!offered(hello).includes(10)) return socket.end(alert);
    const answer = serverHello(10, 0);
    socket.write(answer.subarray(0, 7));
    setImmediate(() => socket.end(answer.subarray(7)));
  });
  expect(chosen).toEqual(['TLS_RSA_WITH_3DES_EDE_CBC_SHA']);
});

it.each([
  ['an alert', (socket: net.Socket) => socket.end(alert)],
  ['a reset', (socket: net.Socket) => socket.resetAndDestroy()],
  ['a closed connection', (socket: net.Socket) => socket.end()],
  ['an alert after a warning', (socket: net.Socket) => socket.end(Buffer.concat([warning, alert]))],
])('treats %s as a refusal', async (_, answer) => {
  expect(await ask((_hello, socket) => answer(socket))).toEqual({ chosen: [], is_complete: true });
});

it.each([
  ['the same again', (socket: net.Socket) => socket.end(serverHello(10))],
  ['a warning and nothing else', (socket: net.Socket) => socket.end(warning)],
])('keeps a known suite if the next answer is %s', async (_, answer) => {
  let hellos = 0;
  const accepted = await ask((_hello, socket) => {
    hellos += 1;
    if (hellos === 1) socket.end(serverHello(10));
    else answer(socket);
  });
  expect(accepted).toEqual({ chosen: ['TLS_RSA_WITH_3DES_EDE_CBC_SHA'], is_complete: false });
});

it('reads the answer after warnings', async () => {
  const { chosen } = await ask((hello, socket) => {
    if (!offered(hello).includes(10)) return socket.end(alert);
    socket.end(Buffer.concat([warning, warning, serverHello(10)]));
  });
  expect(chosen).toEqual(['TLS_RSA_WITH_3DES_EDE_CBC_SHA']);
});

it.each([
  ['something else', (socket: net.Socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
  ['a suite that was not offered', (socket: net.Socket) => socket.end(serverHello(0xc02f))],
  ['half a message', (socket: net.Socket) => socket.end(serverHello(10).subarray(0, 50))],
  ['half a warning', (socket: net.Socket) => socket.end(warning.subarray(0, 4))],
  ['a warning and nothing else', (socket: net.Socket) => socket.end(warning)],
  [
    'an alert of an unknown level',
    (socket: net.Socket) => socket.end(Buffer.from([0x15, 3, 3, 0, 2, 3, 40])),
  ],
  [
    'an alert of the wrong length',
    (socket: net.Socket) => socket.end(Buffer.from([0x15, 3, 3, 0, 3, 2, 40, 0])),
  ],
  ['another message', (socket: net.Socket) => socket.end(serverHello(10).fill(11, 5, 6))],
  ['warnings without end', (socket: net.Socket) => warnForever(socket)],
])('is inconclusive after %s', async (_, answer) => {
  await expect(ask((_hello, socket) => answer(socket))).rejects.toThrow(/TLS/);
});

function warnForever(socket: net.Socket): void {
  socket.on('error', () => {});
  const warn = () => {
    if (!socket.destroyed) socket.write(warning, () => setImmediate(warn));
  };
  warn();
}

it('finds the suite of a real server that sends a warning first', { skip: !hasOpenssl() }, async () => {
  const { key, certificate } = testCertificate({ key: 'rsa2048' });
  server = await startOpensslServer({ key, certificate, servername: 'other.example' }, [
    ...['-tls1_2', '-cipher', 'AES128-SHA:@SECLEVEL=0'],
  ]);
  expect(
    await weakCiphersAccepted(
      () => connectTo(server!.port),
      async () => {},
      'site.example',
      false,
    ),
  ).toEqual({
    chosen: ['TLS_RSA_WITH_AES_128_CBC_SHA'],
    is_complete: true,
  });
});
