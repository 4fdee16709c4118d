import { mkdtemp, rm } from 'node:fs/promises';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { openPool } from '../../src/database/connection.ts';
import { SystemStore } from '../../src/resources/system-store.ts';

/** A proxy to the database whose connections can become silent without being closed, as after a failover. */
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

/** Queries, becomes silent, and queries twice: at once and over another connection. */
async function outcomesOf(
  ask: (pool: pg.Pool) => () => Promise<unknown>,
  answerMs?: number,
): Promise<string[]> {
  const pool = openPool({ ...inject('postgres'), host: folder, port: 5432 }, 'parapet-test', 2, {
    mostMs: answerMs,
  });
  try {
    const again = ask(pool);
    await again();
    silence();
    const both = await Promise.allSettled([again(), again()]);
    return [...both, ...(await Promise.allSettled([again()]))].map(({ status }) => status);
  } finally {
    await pool.end();
  }
}

it('gives up a connection that became silent, and continues on another', async () => {
  const outcomes = await outcomesOf(pool => () => pool.query('select 1'), 1_000);
  // The first of the two used the silent connection, the second a new one.
  expect(outcomes).toEqual(['rejected', 'fulfilled', 'fulfilled']);
});

it('detects within seconds that the database is silent', async () => {
  const outcomes = await outcomesOf(pool => {
    const store = new SystemStore(pool);
    return () => store.ping();
  });
  expect(outcomes).toEqual(['rejected', 'rejected', 'fulfilled']);
});
