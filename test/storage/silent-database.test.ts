import { mkdtemp, rm } from 'node:fs/promises';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { openPool } from '../../src/storage/connection.ts';
import { SystemStore } from '../../src/storage/system-store.ts';

/** A way to the database whose connections can fall silent without being closed, as after a fail-over. */
let folder: string;
let relay: net.Server;
let silence: () => void;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parapet-relay-'));
  const { host, port } = inject('postgres');
  const pairs = new Set<readonly [net.Socket, net.Socket]>();
  relay = net.createServer(client => {
    const server = net.connect(join(host!, `.s.PGSQL.${port}`));
    const pair = [client, server] as const;
    pairs.add(pair);
    client.pipe(server).pipe(client);
    for (const socket of pair)
      socket.on('error', () => {}).on('close', () => pair.forEach(one => void one.destroy()));
  });
  silence = () => {
    for (const [client, server] of pairs) {
      client.unpipe().resume();
      server.unpipe().resume();
    }
  };
  await new Promise<void>(resolve => relay.listen(join(folder, '.s.PGSQL.5432'), resolve));
});
afterAll(async () => {
  relay?.close();
  await rm(folder, { recursive: true, force: true });
});

it('tells that the database is silent, and goes on over another connection', async () => {
  const pool = openPool({ ...inject('postgres'), host: folder, port: 5432 }, 'parapet-test', 2);
  try {
    const store = new SystemStore(pool);
    await store.ping();
    silence();
    const both = await Promise.allSettled([store.ping(), store.ping()]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await store.ping();
  } finally {
    await pool.end();
  }
});
