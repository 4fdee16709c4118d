import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { connectOwner } from '../../src/database/connect-owner.ts';
import { type ConnectionSettings, openPool } from '../../src/database/connection.ts';
import { connectionFromUrl } from '../../src/database/connection-url.ts';
import { Hosts, type SessionAttributes } from '../../src/database/hosts.ts';
import { runTransaction } from '../../src/database/run-transaction.ts';
import { testAuthority } from '../support/certificates.ts';
import { DatabaseRelay } from '../support/database-relay.ts';
import { findOutsidePostgres } from '../support/outside-postgres.ts';
import { startPostgresServer } from '../support/postgres-server.ts';
import { type ReplicatedPostgres, startReplicatedPostgres } from '../support/replicated-postgres.ts';

const programs = await findOutsidePostgres();
/** Of a host on which nothing listens. */
const nothing = { port: 1 };

describe.runIf(programs)('with a primary and a standby', () => {
  let postgres: ReplicatedPostgres;
  let primary: { port: number };
  let standby: { port: number };
  beforeAll(async () => {
    postgres = await startReplicatedPostgres(programs!);
    ({ primary, standby } = postgres);
    await postgres.primary.query('create table kept (id int)', 'hosted');
    await postgres.primary.query('grant all on kept to tenant_owner', 'hosted');
  });
  afterAll(() => postgres?.close());

  /** The port on which the connection ends. */
  async function portWith(connection: ConnectionSettings): Promise<number> {
    const client = await connectOwner(connection, 'test');
    try {
      const { rows } = await client.query<{ port: number }>('select inet_server_port() as port');
      return rows[0]!.port;
    } finally {
      await client.end();
    }
  }

  function connection(wanted: SessionAttributes, ...servers: { port: number }[]): ConnectionSettings {
    const [first, ...others] = servers.map(({ port }) => ({ host: '127.0.0.1', port }));
    const hosts = new Hosts([first!, ...others], wanted);
    return { ...connectionFromUrl(postgres.url(...servers)), hosts };
  }

  it('leads to the server that accepts writes, wherever it is in the URL', async () => {
    const orders = [
      [primary, standby],
      [standby, primary],
      [nothing, standby, primary],
    ];
    for (const order of orders) {
      expect(await portWith(connectionFromUrl(postgres.url(...order)))).toBe(primary.port);
      const asked = `${postgres.url(...order)}?target_session_attrs=primary`;
      expect(await portWith(connectionFromUrl(asked))).toBe(primary.port);
      const pooled = { ...connectionFromUrl(postgres.url(...order)), isPooled: true };
      expect(await portWith(pooled)).toBe(primary.port);
    }
    const first = `${postgres.url(standby, primary)}?target_session_attrs=any`;
    expect(await portWith(connectionFromUrl(first))).toBe(standby.port);
  });

  it('leads to what reads ask for', async () => {
    const both = [primary, standby];
    expect(await portWith(connection('standby', ...both))).toBe(standby.port);
    await expect(portWith(connection('standby', primary))).rejects.toThrow('it is the primary');
  });

  it('names each host with its cause if none can be used, without the password', async () => {
    const failed = connectOwner(connectionFromUrl(postgres.url(nothing, standby)), 'test');
    await expect(failed).rejects.toThrow(
      `The database cannot be used: 127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1; 127.0.0.1:${standby.port}: it is a standby`,
    );
    const single = `${postgres.url(standby)}?target_session_attrs=read-write`;
    await expect(connectOwner(connectionFromUrl(single), 'test')).rejects.toThrow('it is a standby');
    await expect(failed).rejects.not.toThrow('a-secret');
  });

  it('closes a connection whose server refuses a write, so that the next write reaches the primary', async () => {
    const { socketFolder } = postgres.primary;
    const relay = await DatabaseRelay.start({ host: socketFolder, port: standby.port });
    onTestFinished(() => relay.close());
    // A name or an address that leads to the standby now.
    const pool = openPool(connectionFromUrl(postgres.url(relay.connection)), 'test', 1);
    onTestFinished(() => pool.end());
    const write = () =>
      runTransaction(pool, 'begin read write', client => client.query('insert into kept values (1)'));
    await expect(write()).rejects.toMatchObject({ code: '25006' });
    relay.target = relay.target.replace(String(standby.port), String(primary.port));
    expect((await write()).rowCount).toBe(1);
  });

  describe('behind two proxies', () => {
    let relays: [DatabaseRelay, DatabaseRelay];
    beforeEach(async () => {
      const target = { host: postgres.primary.socketFolder, port: primary.port };
      relays = [await DatabaseRelay.start(target), await DatabaseRelay.start(target)];
    });
    afterEach(async () => void (await Promise.all(relays.map(relay => relay.close()))));

    function openPools(parameters = '') {
      const settings = connectionFromUrl(
        `${postgres.url(...relays.map(relay => relay.connection))}${parameters}`,
      );
      const pools = [openPool(settings, 'first', 2), openPool(settings, 'second', 1)] as const;
      onTestFinished(async () => void (await Promise.all(pools.map(pool => pool.end()))));
      return pools;
    }

    it('drops connections through a proxy that does not answer', async () => {
      const [first, second] = openPools();
      await first.query('select');
      relays[0].fault = 'silence';
      const waiting = expect(first.query('select')).rejects.toThrow('another server is the primary');
      expect((await second.query('select')).rowCount).toBe(1);
      await waiting;
      expect(first.totalCount).toBe(0);
    });

    it('goes on with a transaction if others have to use the second proxy', async () => {
      const [first, second] = openPools();
      const client = await first.connect();
      await client.query('begin');
      relays[0].fault = 'refused logins';
      expect((await second.query('select')).rowCount).toBe(1);
      expect((await client.query('commit')).command).toBe('COMMIT');
      client.release();
    });

    it.each(['', '?pgbouncer=true'])('uses the next one if statements get no answer%s', async parameters => {
      relays[0].fault = 'silence behind logins';
      const [first] = openPools(parameters);
      expect((await first.query('select')).rowCount).toBe(1);
    });
  });
});

it('verifies the certificate of each host for its own name', async () => {
  const authority = testAuthority();
  const folder = await mkdtemp(join(tmpdir(), 'several-hosts-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'root.pem'), authority.root);
  const statements = ["create role u login password 'a-secret'", 'create database d owner u'];
  const servers = await Promise.all(
    ['other.example', '127.0.0.1'].map(name =>
      startPostgresServer(authority.issue({ covers: [name] }), statements),
    ),
  );
  onTestFinished(async () => void (await Promise.all(servers.map(server => server.close()))));
  const [other, own] = servers.map(({ port }) => `127.0.0.1:${port}`);
  const connect = (hosts: string) =>
    connectOwner(
      connectionFromUrl(
        `postgresql://u:a-secret@${hosts}/d?sslmode=verify-full&sslrootcert=${folder}/root.pem`,
      ),
      'test',
    );
  const client = await connect(`${other},${own}`);
  expect(client.port).toBe(servers[1]!.port);
  await client.end();
  await expect(connect(`${other},127.0.0.1:1`)).rejects.toThrow(
    new RegExp(`^The database cannot be used: ${other}: Hostname/IP does not match.*; 127.0.0.1:1: connect`),
  );
});
