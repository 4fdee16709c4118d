import type { Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { testCertificate } from '../../../test/support/certificates.ts';
import { httpsServer, loopbackGuard, rawServer, type TestServer } from '../../../test/support/website.ts';
import { connectPinned, connectPinnedTls } from './pinned-connection.ts';
import { createTargetGuard } from './target-guard.ts';

let server: TestServer | undefined;
afterEach(() => server?.close());

const opening = () => AbortSignal.timeout(10_000);
const pinned = () => loopbackGuard().pin('127.0.0.1', opening());

const closing = (socket: Socket) => new Promise(resolve => socket.once('close', resolve));

it('ends a connection at the end of its lifetime, even during a read', async () => {
  server = await rawServer(() => {});
  const lifetime = new AbortController();
  const socket = await connectPinned(await pinned(), server.port, opening(), lifetime.signal);
  const received = (async () => {
    for await (const _ of socket);
  })();
  lifetime.abort(new Error('the time is up'));
  await expect(received).rejects.toThrow('the time is up');
});

it('refuses an address that turns out to be of this machine, unless it is in the allowlist', async () => {
  server = await rawServer(() => {});
  const named = await pinned();
  const addresses = named.addresses.map(address => ({ ...address, isAllowlisted: false }));
  for (const connection of [
    connectPinned({ ...named, addresses }, server.port, opening()),
    connectPinnedTls({ ...named, addresses }, server.port, opening(), { rejectUnauthorized: false }),
  ]) {
    await expect(connection).rejects.toMatchObject({ errorCode: 'refused_private_address' });
  }
  (await connectPinned(named, server.port, opening())).destroy();
});

it('connects to a private address of the target on its ports only', async () => {
  server = await rawServer(() => {});
  const guard = (ports: readonly number[]) =>
    createTargetGuard({ allowlist: [], ownPlace: { addresses: ['127.0.0.1'], ports } });
  const other = await guard([1, 80]).pin('127.0.0.1', opening());
  for (const connection of [
    connectPinned(other, server.port, opening()),
    connectPinnedTls(other, server.port, opening(), { rejectUnauthorized: false }),
  ]) {
    await expect(connection).rejects.toMatchObject({ errorCode: 'refused_private_address' });
  }
  const own = await guard([server.port]).pin('127.0.0.1', opening());
  (await connectPinned(own, server.port, opening())).destroy();
});

it('also ends a TLS connection without error listeners', async () => {
  const { certificate: cert, key } = testCertificate();
  server = await httpsServer({ cert, key }, () => {});
  const lifetime = new AbortController();
  const socket = await connectPinnedTls(await pinned(), server.port, opening(), {
    rejectUnauthorized: false,
    lifetime: lifetime.signal,
  });
  lifetime.abort(new Error('the time is up'));
  await closing(socket);
});

it('limits a connection without a lifetime to the time for opening it', async () => {
  server = await rawServer(() => {});
  const signal = new AbortController();
  const socket = await connectPinned(await pinned(), server.port, signal.signal);
  signal.abort(new Error('the time is up'));
  await closing(socket);
  await closing(await connectPinned(await pinned(), server.port, opening(), signal.signal));
});
