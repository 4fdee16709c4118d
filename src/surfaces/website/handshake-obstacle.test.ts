import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http2 from 'node:http2';
import type { AddressInfo } from 'node:net';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { authority, collect, hello, running } from '../../../test/support/collecting.ts';
import { hasOpenssl, httpsServer, loopbackGuard, rawServer } from '../../../test/support/website.ts';
import { obstacleOf } from './handshake-obstacle.ts';
import { testWebsite } from './test-connection.ts';

const leaf = authority.issue();
const sound = { key: leaf.key, cert: leaf.chain };

const testOf = (host: string) =>
  testWebsite(host, {
    guard: loopbackGuard(),
    signal: AbortSignal.timeout(30_000),
    trustedRoots: [authority.root],
  });

it('assesses TLS of a server that supports only HTTP/2, and reports that for its pages', async () => {
  const server = http2.createSecureServer({ ...sound, allowHTTP1: false }, (_request, response) => {
    response.end('hello');
  });
  server.on('tlsClientError', () => {});
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const host = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const { tls, page, https } = await collect(host);
  expect(tls).toMatchObject({ assessed: true, value: { negotiated_version: 'TLSv1.3' } });
  expect(tls.assessed && tls.value.protocols.map(({ support }) => support)).toEqual([
    'refused',
    'refused',
    'accepted',
    'accepted',
  ]);
  const reason = 'The server supports only HTTP/2, which scans do not.';
  expect(https).toEqual({ assessed: false, reason });
  expect(page).toEqual({ assessed: false, reason });
  expect(await testOf(host)).toMatchObject({ ok: false, errorCode: 'http2_only' });
});

it('reports that a server requires a client certificate, in any version of TLS', async () => {
  const asks = { ...sound, requestCert: true, rejectUnauthorized: true } as const;
  const { port } = await running(httpsServer(asks, hello));
  const { tls, https } = await collect(`https://127.0.0.1:${port}/`);
  expect(tls.assessed, 'TLS 1.3 requests it after the handshake').toBe(true);
  expect(https).toEqual({ assessed: false, reason: 'The server requires a client certificate.' });
  expect(await testOf(`https://127.0.0.1:${port}/`)).toMatchObject({
    errorCode: 'client_certificate_required',
  });

  const older = await running(httpsServer({ ...asks, maxVersion: 'TLSv1.2' }, hello));
  await expect(collect(`https://127.0.0.1:${older.port}/`)).rejects.toMatchObject({
    errorCode: 'client_certificate_required',
  });
  expect(await testOf(`https://127.0.0.1:${older.port}/`)).toMatchObject({
    errorCode: 'client_certificate_required',
  });
});

it.skipIf(!hasOpenssl())('reports that browsers do not support a key on P-224', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parapet-p224-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = (name: string) => join(folder, name);
  const made = ['-keyout', file('key'), '-out', file('cert'), '-days', '9', '-subj', '/CN=127.0.0.1'];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:secp224r1', '-nodes'];
  execFileSync('openssl', ['req', '-x509', ...curve, ...made], { stdio: 'ignore' });
  const server = httpsServer({ key: readFileSync(file('key')), cert: readFileSync(file('cert')) }, hello);
  const { port } = await running(server);
  await expect(collect(`https://127.0.0.1:${port}/`)).rejects.toMatchObject({ errorCode: 'key_unsupported' });
  expect(await testOf(`https://127.0.0.1:${port}/`)).toMatchObject({ errorCode: 'key_unsupported' });
});

it('reports nothing more about a server that refuses what is offered', async () => {
  const only = {
    ...sound,
    maxVersion: 'TLSv1.2',
    ciphers: 'ECDHE-RSA-AES256-GCM-SHA384',
  };
  const { port } = await running(httpsServer(only as object, hello));
  await expect(collect(`https://127.0.0.1:${port}/`)).rejects.toMatchObject({ errorCode: 'tls_failed' });
});

it.each<[string, (socket: net.Socket) => void]>([
  ['closes', socket => socket.end()],
  ['resets', socket => socket.resetAndDestroy()],
  ['sends records without end', socket => void socket.write(endless(), () => socket.write(endless()))],
  ['sends wrong lengths', socket => socket.end(Buffer.from('1603030008' + '0b0000040000ffff', 'hex'))],
  [
    'sends an invalid certificate',
    socket => socket.end(Buffer.from('160303000e0b00000a000007000004deadbeef', 'hex')),
  ],
])('finds nothing if the server %s', async (_, answer) => {
  const { port } = await running(
    rawServer(socket => {
      socket.on('error', () => {});
      socket.once('data', () => answer(socket));
    }),
  );
  const socket = net.connect(port, '127.0.0.1');
  expect(await obstacleOf(socket, null)).toBeNull();
  expect(socket.destroyed).toBe(true);
});

/** 64 KiB of handshake records with one message that never ends. */
function endless(): Buffer {
  const record = Buffer.concat([Buffer.from('1603034000', 'hex'), Buffer.alloc(0x4000)]);
  record.writeUInt32BE(0x0bffffff, 5);
  return Buffer.concat([record, record, record, record]);
}
