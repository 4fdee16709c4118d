import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { type ConnectionSettings, openPool } from '../../src/database/connection.ts';
import { Replica } from '../../src/database/replica.ts';
import type { TenantSession, TenantStore } from '../../src/database/tenant-store.ts';
import { addReplicaMetrics } from '../../src/http/database-metrics.ts';
import { Metrics } from '../../src/http/metrics.ts';
import { createFixture, type Fixture } from '../api/routes.ts';
import { DatabaseRelay } from '../support/database-relay.ts';
import { findOutsidePostgres } from '../support/outside-postgres.ts';
import { addPerson } from '../support/people.ts';
import { poll } from '../support/poll.ts';
import { type ReplicatedPostgres, startReplicatedPostgres } from '../support/replicated-postgres.ts';
import { startService, type TestService } from '../support/service.ts';

const programs = await findOutsidePostgres();

const operator = { kind: 'operator', id: 'test' } as const;

describe.runIf(programs)('with a primary and a standby', () => {
  let postgres: ReplicatedPostgres;
  let relay: DatabaseRelay;
  let service: TestService;
  let fixture: Fixture;
  beforeAll(async () => {
    postgres = await startReplicatedPostgres(programs!);
    const { socketFolder, port } = postgres.standby;
    relay = await DatabaseRelay.start({ host: socketFolder, port });
    service = await startService({ postgres: superuserOf(postgres.primary), replica: relay.connection });
    fixture = await createFixture(service);
    await isUsable();
  });
  afterAll(async () => {
    await service?.close();
    await relay?.close();
    await postgres?.close();
  });

  const superuserOf = ({ port }: { port: number }) => ({
    host: '127.0.0.1',
    port,
    user: 'admin',
    database: 'postgres',
  });
  const leadTo = ({ port }: { port: number }) => {
    relay.target = relay.target.replace(/\d+$/, String(port));
  };
  const status = () => service.storage.replica!.status;
  const isUsable = () => poll('the replica is used', async () => status().isUsable);

  /** A store for one request. */
  const store = (mayBeOld: boolean): TenantStore =>
    service.storage.tenant(fixture.organizationId, operator, { mayBeOld });

  /** Whether a standby answers, in each way to read. */
  const readsFromStandby = async (from: TenantStore): Promise<boolean[]> => {
    const query = { text: 'select pg_is_in_recovery() as "isStandby"' };
    const answers = [await from.queryOnce(query), await from.read(session => session.query(query))];
    return answers.map(([row]) => (row as { isStandby: boolean }).isStandby);
  };

  const systemsOf = async (from: TenantStore): Promise<string[]> =>
    (await from.queryOnce<{ name: string }>({ text: 'select name from systems' })).map(({ name }) => name);

  const addSystem = async (): Promise<string> => {
    const name = `S ${randomUUID()}`;
    await store(false).transaction(transaction =>
      transaction.query({
        text: 'insert into systems (name, environment, kind) values ($1, $2, $3)',
        values: [name, 'production', 'api'],
      }),
    );
    return name;
  };

  /** Has the standby receive changes, and not apply them. */
  async function pause(): Promise<void> {
    await postgres.standby.query('select pg_wal_replay_pause()');
    await poll('the pause', async () => {
      const { rows } = await postgres.standby.query('select pg_get_wal_replay_pause_state() as state');
      return rows[0].state === 'paused';
    });
    onTestFinished(async () => {
      await postgres.standby.query('select pg_wal_replay_resume()');
      await isUsable();
    });
  }

  it('answers reads that may be old, of the organization alone', async () => {
    expect(await readsFromStandby(store(true))).toEqual([true, true]);
    expect(await readsFromStandby(store(false))).toEqual([false, false]);
    const { registry } = new Metrics();
    addReplicaMetrics(registry, status);
    const text = await registry.metrics();
    expect(text).toMatch(/^parapet_replica_lag_seconds 0\.\d+$/m);
    expect(text).toMatch(/^parapet_replica_reads_total\{server="replica"\} [1-9]\d*$/m);
    const other = service.storage.tenant((await createFixture(service)).organizationId, operator, {
      mayBeOld: true,
    });
    await poll('the other organization', async () => (await systemsOf(other)).length > 0);
    expect(await systemsOf(other)).toHaveLength(1);
    expect(await systemsOf(store(true))).toHaveLength(1);
  });

  it('answers none of a request that has changed something', async () => {
    const request = store(true);
    await request.transaction(transaction => transaction.query({ text: 'select' }));
    expect(await readsFromStandby(request)).toEqual([false, false]);
  });

  it('is used again as soon as it has what the primary had a second before', async () => {
    await pause();
    const name = await addSystem();
    await poll('it is too far behind', async () => !status().isUsable);
    expect(status()).toMatchObject({ problem: undefined });
    expect(status().lagSeconds).toBeGreaterThan(0.5);
    expect(await systemsOf(store(true))).toContain(name);
    await postgres.standby.query('select pg_wal_replay_resume()');
    await isUsable();
    expect(await readsFromStandby(store(true))).toEqual([true, true]);
    expect(await systemsOf(store(true))).toContain(name);
  });

  it('shows people what they have just changed, on every node', async () => {
    const [{ client }, second] = [
      await addPerson(service, fixture.organizationId, 'owner'),
      await service.addNode(),
    ];
    onTestFinished(() => second.close());
    await poll('the second node uses it', async () => second.storage.replica!.status.isUsable);
    await pause();
    const name = `S ${randomUUID()}`;
    const path = `/organizations/${fixture.organizationId}/systems`;
    const { status: created, text } = await client.post(path, {
      name,
      environment: 'production',
      kind: 'api',
    });
    expect(created, text).toBe(201);
    const cookie = client.otherCookies.get('parapet_changed');
    expect(cookie).toBeDefined();
    const answer = await fetch(`${second.url}/dashboard/api${path}`, {
      headers: { cookie: `${client.cookie}; parapet_changed=${cookie}` },
    });
    expect(await answer.text()).toContain(name);
  });

  it('answers the overview, whose visit is noted on the primary', async () => {
    const { client } = await addPerson(service, fixture.organizationId, 'owner');
    const before = status().reads.replica;
    const { status: code, text } = await client.get(`/organizations/${fixture.organizationId}/overview`);
    expect(code, text).toBe(200);
    expect(status().reads.replica).toBe(before + 1);
  });

  it('is not used by a browser that has changed the account, or exported the audit log', async () => {
    const { client } = await addPerson(service, fixture.organizationId, 'owner');
    const requests = [
      () => client.request('PATCH', '/account', { name: 'Renamed' }),
      () => client.get(`/organizations/${fixture.organizationId}/audit/export?format=csv`),
    ];
    for (const request of requests) {
      client.otherCookies.delete('parapet_changed');
      expect((await request()).status).toBe(200);
      expect(client.otherCookies.get('parapet_changed')).toBeDefined();
    }
  });

  /** A replica of the primary, from another server. Reads as a superuser. */
  function replicaOf(primary: ConnectionSettings, connection: ConnectionSettings) {
    const pool = openPool(primary, 'test', 2);
    const failures: string[] = [];
    const replica = new Replica({
      primary: pool,
      connection,
      connections: 8,
      listener: { failed: reason => failures.push(reason), recovered() {} },
    });
    onTestFinished(async () => {
      await replica.close();
      await pool.end();
    });
    return { replica, failures };
  }

  /** A replica through the relay, which is used. */
  async function relayedReplica(): Promise<Replica> {
    const standby = { ...superuserOf(postgres.standby), ...relay.connection };
    const { replica } = replicaOf(superuserOf(postgres.primary), standby);
    await replica.start();
    await poll('it is used', async () => replica.status.isUsable);
    return replica;
  }

  const whetherStandby = (session: TenantSession) =>
    session.query({ text: 'select pg_is_in_recovery() as "isStandby"' });
  const ofStandby = { result: [{ isStandby: true }] };

  it('never counts what a server answered that does not have what it should', async () => {
    const behind = await postgres.addStandby();
    await behind.query('select pg_wal_replay_pause()');
    await addSystem();
    const began = performance.now();
    await poll('the change is a second old', async () => performance.now() - began > 1_500);
    for (const wrong of [postgres.primary, behind]) {
      const replica = await relayedReplica();
      expect(await replica.read(randomUUID(), whetherStandby)).toEqual(ofStandby);
      const read = await replica.read(randomUUID(), async session => {
        await whetherStandby(session);
        // A proxy that leads to another server, while open connections still lead to the standby: there may be two.
        leadTo(wrong);
        const others = [1, 2, 3].map(() => replica.read(randomUUID(), whetherStandby));
        const answers = await Promise.all(others);
        leadTo(postgres.standby);
        return answers;
      });
      expect(read!.result).toContain(undefined);
    }
  });

  it.each(['pg_cancel_backend', 'pg_terminate_backend'])(
    'leaves a read to the primary that %s ends',
    async end => {
      const answer = await store(true).read(async session => {
        const [row] = await session.query<{ pid: number; isStandby: boolean }>({
          text: 'select pg_backend_pid() as pid, pg_is_in_recovery() as "isStandby"',
        });
        if (row!.isStandby) {
          const ended = session.query({ text: 'select pg_sleep(60)' });
          ended.catch(() => {});
          await poll('the statement is canceled', async () => {
            await postgres.standby.query(`select ${end}(${row!.pid})`);
            return ended.then(
              () => true,
              () => true,
            );
          });
          await ended;
        }
        return row!.isStandby;
      });
      expect(answer).toBe(false);
    },
  );

  it('leaves reads to the primary that the standby does not answer, after seconds', async () => {
    const replica = await relayedReplica();
    const began = performance.now();
    relay.fault = 'silence';
    const answers = await Promise.all([1, 2, 3].map(() => replica.read(randomUUID(), whetherStandby)));
    relay.fault = undefined;
    expect(answers).toEqual([undefined, undefined, undefined]);
    expect(performance.now() - began).toBeLessThan(8_000);
  });

  it('does not take a primary that is slow for an outage', async () => {
    const replica = await relayedReplica();
    const { rows } = await postgres.primary.query(
      `select pid from pg_stat_activity where application_name = 'test'`,
    );
    for (const { pid } of rows) process.kill(pid, 'SIGSTOP');
    await poll('the replica is not used', async () => !replica.status.isUsable);
    expect(replica.status.problem).toBeUndefined();
    for (const { pid } of rows) process.kill(pid, 'SIGCONT');
    await poll('it is used', async () => replica.status.isUsable);
  });

  it('is not used while it does not answer, and says why', async () => {
    await relay.stop();
    await poll('the cause is known', async () => status().problem?.includes('ECONNREFUSED'));
    expect(await readsFromStandby(store(true))).toEqual([false, false]);
    await relay.listen();
    await isUsable();
  });

  it('is not used if it is a copy of another server, no standby, or of another history', async () => {
    const { primary, standby } = postgres;
    const another = await postgres.addStandby();
    const problemOf = async (ofPrimary: ConnectionSettings, ofStandby: ConnectionSettings) => {
      const { replica, failures } = replicaOf(ofPrimary, ofStandby);
      await replica.start();
      return [replica.status.problem, failures, await replica.read(randomUUID(), async () => 'read')];
    };
    const unlike = 'it is not a copy of the primary';
    expect(await problemOf(superuserOf(primary), inject('postgres'))).toEqual([unlike, [unlike], undefined]);
    await primary.query('create database copied');
    await poll('the other database', async () =>
      standby.query('select', 'copied').then(
        () => true,
        () => false,
      ),
    );
    const other = 'it is another database of the primary';
    const copied = { ...superuserOf(standby), database: 'copied' };
    expect(await problemOf(superuserOf(primary), copied)).toEqual([other, [other], undefined]);
    const { replica } = replicaOf(superuserOf(primary), superuserOf(standby));
    await replica.start();
    await poll('it is used', async () => replica.status.isUsable);
    const answer = await replica.read(randomUUID(), async session => {
      await whetherStandby(session);
      await standby.promote();
      await poll('the promotion', async () => {
        const { rows } = await standby.query('select pg_is_in_recovery() as "isStandby"');
        return !rows[0].isStandby;
      });
      return 'read';
    });
    expect(answer).toBeUndefined();
    const promoted = 'it is no standby';
    expect(await problemOf(superuserOf(primary), superuserOf(standby))).toEqual([
      promoted,
      [promoted],
      undefined,
    ]);
    const former = 'it follows timeline 1, and the primary is on 2';
    expect(await problemOf(superuserOf(standby), superuserOf(another))).toEqual([
      former,
      [former],
      undefined,
    ]);
  });
});
