import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { type ConnectionSettings, openPool } from '../../src/database/connection.ts';
import { Replica } from '../../src/database/replica.ts';
import { connectionShares, type TenantStore } from '../../src/database/tenant-store.ts';
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

  /** A replica of the primary, from another server. Reads as a superuser. */
  function replicaOf(primary: ConnectionSettings, standby: ConnectionSettings) {
    const pools = [primary, standby].map(server => openPool(server, 'test', 2)) as [pg.Pool, pg.Pool];
    const failures: string[] = [];
    const replica = new Replica({
      primary: pools[0],
      pool: pools[1],
      shares: connectionShares(2),
      listener: { failed: reason => failures.push(reason), recovered() {} },
    });
    onTestFinished(async () => {
      await replica.close();
      await pools[0].end();
    });
    return { replica, pool: pools[1], failures };
  }

  it('never counts what a server answered that does not have what it should', async () => {
    const standby = { ...superuserOf(postgres.standby), ...relay.connection };
    const { replica, pool } = replicaOf(superuserOf(postgres.primary), standby);
    await replica.start();
    await poll('it is used', async () => replica.status.isUsable);
    const answer = () => replica.read(fixture.organizationId, session => session.query({ text: 'select' }));
    expect(await answer()).toEqual({ result: [{}] });
    // A proxy that leads to another server, while the open connections still lead to the standby.
    const held = await pool.connect();
    leadTo(postgres.primary);
    const answers = [await answer(), replica.status.reads];
    leadTo(postgres.standby);
    held.release(true);
    expect(answers).toEqual([undefined, { replica: 1, primary: 1 }]);
  });

  it('is not used while it does not answer, and says why', async () => {
    await relay.stop();
    await poll('the end of its use', async () => !status().isUsable);
    expect(await readsFromStandby(store(true))).toEqual([false, false]);
    expect(status().problem).toContain('ECONNREFUSED');
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
    await standby.promote();
    await poll('the promotion', async () => {
      const { rows } = await standby.query('select pg_is_in_recovery() as "isStandby"');
      return !rows[0].isStandby;
    });
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
