import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sessionOptions } from '../../src/database/connection.ts';
import { migrate } from '../../src/database/migrate.ts';
import type { Roles } from '../../src/database/roles.ts';
import { beginTransaction, runTransaction } from '../../src/database/run-transaction.ts';
import { createSystem, listSystems } from '../../src/resources/systems/systems.ts';
import { asOwner, testPool } from '../support/postgres.ts';
import { startService, type TestService } from '../support/service.ts';
import { send, signRequest } from '../support/signing-client.ts';

/** Defaults of the database that an operator, a hosting provider or an attacker may have set. */
const hostile = {
  default_transaction_isolation: 'serializable',
  default_transaction_read_only: 'on',
  default_transaction_deferrable: 'on',
  synchronous_commit: 'off',
  search_path: '"$user", attacker, public',
  'parapet.organization_id': randomUUID(),
  row_security: 'off',
  check_function_bodies: 'off',
  statement_timeout: '1ms',
  lock_timeout: '1ms',
  idle_in_transaction_session_timeout: '1ms',
  idle_session_timeout: '1ms',
  TimeZone: 'Asia/Kathmandu',
  DateStyle: 'German',
  IntervalStyle: 'iso_8601',
  bytea_output: 'escape',
  extra_float_digits: '-10',
  standard_conforming_strings: 'off',
  array_nulls: 'off',
  transform_null_equals: 'on',
  max_parallel_workers_per_gather: '4',
};

let service: TestService;
let roles: Roles;
beforeAll(async () => {
  service = await startService();
  const { connection } = service.database;
  ({ roles } = await migrate(connection));
  await setDefaults(hostile);
});
afterAll(() => service?.close());

/** From the database `postgres`, since sessions of the database itself would end because of its defaults. */
const setDefaults = (settings: Readonly<Record<string, string>>) =>
  asOwner({ ...service.database.connection, database: 'postgres' }, async client => {
    for (const [name, value] of Object.entries(settings)) {
      const list = name === 'search_path' ? value : pg.escapeLiteral(value);
      await client.query(`alter database ${service.database.connection.database} set ${name} = ${list}`);
    }
  });

/** A session behind a pooler that drops the startup options, with another isolation level. */
function changed(login: Roles['app'], level: string): pg.ClientConfig {
  const options = sessionOptions({ ...service.database.connection, ...login }, 'test');
  return {
    ...options,
    options: `${options.options} -c default_transaction_isolation=${level.replace(' ', '\\ ')}`,
  };
}

async function logIn(role: keyof Roles): Promise<pg.Client> {
  const connection = { ...service.database.connection, ...roles[role] };
  const client = new pg.Client(sessionOptions(connection, 'test'));
  await client.connect();
  return client;
}

describe('a session of Parapet', () => {
  it.each(['app', 'system'] as const)('with the %s role has none of the hostile defaults', async role => {
    const client = await logIn(role);
    for (const [name, value] of Object.entries(hostile)) {
      const { rows } = await client.query('select current_setting($1) as setting', [name]);
      expect(rows[0].setting, name).not.toBe(value);
    }
    const { rows } = await client.query(
      `select current_setting('transaction_isolation') as isolation, current_setting('synchronous_commit') as durable`,
    );
    expect(rows).toEqual([{ isolation: 'read committed', durable: 'on' }]);
    await client.end();
  });
});

it('serves, scans and migrates in a database with hostile defaults', async () => {
  const node = await service.addNode();
  await migrate(service.database.connection);
  const actor = { kind: 'operator', id: 'test' } as const;
  const { id } = await node.storage.system.createOrganization('Hostile', actor);
  const store = node.storage.tenant(id, actor);
  await store.transaction(async transaction => {
    await createSystem(transaction, { name: 'A', environment: 'test', kind: 'api' });
    await transaction.enqueue('scan-plan', [{ scanId: randomUUID() }]);
  });
  expect((await listSystems(store, {})).rows).toHaveLength(1);
  expect(await node.storage.system.brokenAuditChains()).toEqual([]);
});

it('admits exactly as many requests as the limits allow, on two nodes, in a database with hostile defaults', async () => {
  const node = await service.addNode();
  const other = await service.addNode();
  const { id } = await node.storage.system.createOrganization('Busy', { kind: 'operator', id: 'test' });
  const key = await service.mint(id);
  const replayed = signRequest(key, 'GET', '/api/v1/systems');
  const requests = [
    ...Array.from({ length: 80 }, () => signRequest(key, 'GET', '/api/v1/systems')),
    ...Array.from({ length: 20 }, () => replayed),
  ];
  const answers = await Promise.all(
    requests.map((request, index) => send((index % 2 ? node : other).url, request)),
  );
  const admitted = answers.filter(({ status }) => status === 200);
  expect(admitted).toHaveLength(60);
  expect(answers.slice(80).filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
});

it.each(['repeatable read', 'serializable'])(
  'refuses to admit at %s if a pooler dropped the options',
  async level => {
    const { id: organizationId } = await service.storage.system.createOrganization('Pooled', {
      kind: 'operator',
      id: 'test',
    });
    const client = new pg.Client(changed(roles.system, level));
    await client.connect();
    const admit = client.query('select decide_requests($1, $2, $3, $4, 60, 300)', [
      [randomUUID()],
      [organizationId],
      [randomUUID()],
      ['findings'],
    ]);
    try {
      await expect(admit.then(() => 'admitted')).rejects.toThrow(/isolation level read committed/);
    } finally {
      await client.end();
    }
  },
);

it('uses read committed for writes if a pooler dropped the options', async () => {
  const pool = testPool(changed(roles.app, 'serializable'));
  const { rows } = await runTransaction(pool, beginTransaction, client =>
    client.query(`select current_setting('transaction_isolation') as isolation`),
  );
  expect(rows).toEqual([{ isolation: 'read committed' }]);
  await pool.end();
});

it('does not start if triggers are disabled by default', async () => {
  await setDefaults({ session_replication_role: 'replica' });
  await expect(migrate(service.database.connection)).rejects.toThrow(/session_replication_role/);
});
