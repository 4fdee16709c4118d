import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { connectionFromUrl } from '../../src/database/connection-url.ts';
import { migrate } from '../../src/database/migrate.ts';
import { readMigrations } from '../../src/database/migrations.ts';
import { givenKeyRing } from '../../src/resources/credentials/key-ring.ts';
import { parseMasterKey } from '../../src/resources/credentials/master-key.ts';
import { countEvents } from '../../src/resources/events/event-counts.ts';
import { listEventRows } from '../../src/resources/events/event-list.ts';
import { Storage } from '../../src/resources/storage.ts';
import { createSystem, listSystems } from '../../src/resources/systems/systems.ts';
import { eventRow, storeEvents } from '../support/events.ts';
import {
  findOutsidePostgres,
  type OutsidePostgres,
  startOutsidePostgres,
} from '../support/outside-postgres.ts';
import { asOwner, createDatabase, type TestDatabase } from '../support/postgres.ts';

const operator = { kind: 'operator', id: 'test' } as const;

describe('migrations', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createDatabase(inject('postgres'));
  });
  afterAll(() => database?.drop());

  it('are applied once by nodes that start together, and not again', async () => {
    const names = (await readMigrations()).map(migration => migration.name);
    const results = await Promise.all([
      migrate(database.connection),
      migrate(database.connection),
      migrate(database.connection),
    ]);
    expect(results.flatMap(result => result.applied).sort()).toEqual(names);
    expect(new Set(results.map(result => result.roles.app.password)).size).toBe(1);
    expect((await migrate(database.connection)).applied).toEqual([]);
  });

  it('refuse a database that is newer than the program, or older if they may not change it', async () => {
    const change = (sql: string) => asOwner(database.connection, client => client.query(sql));
    await change("insert into schema_migrations (version, name, checksum) values (9999, '9999_future', 'x')");
    await expect(migrate(database.connection)).rejects.toThrow(
      /newer than this program: it has migration 9999_future/,
    );
    await change('delete from schema_migrations where version = 9999');
    await change('delete from schema_migrations where version = 55');
    await expect(migrate(database.connection, { mayChange: false })).rejects.toThrow(
      'This release changes the database (0055_releases): restart the service instead of replacing its processes.',
    );
    await change("update schema_migrations set checksum = 'x' where version = 1");
    await expect(migrate(database.connection)).rejects.toThrow(
      /0001_organizations was applied with other content/,
    );
  });

  it('report in one line why a database cannot be used', async () => {
    const unreachable = connectionFromUrl('postgresql://u:a-secret@127.0.0.1:1/x');
    const failed = migrate(unreachable);
    await expect(failed).rejects.toThrow(/^The database cannot be used: .*ECONNREFUSED/);
    await expect(failed).rejects.not.toThrow(/a-secret/);
    expect(() => connectionFromUrl('mysql://u:a-secret@h/x')).toThrow(/^DATABASE_URL must read postgresql:/);
  });
});

const outside = await findOutsidePostgres();
if (!outside)
  console.warn(
    'SKIPPED: no Debian PostgreSQL (package postgresql) that this user can run: the tests of DATABASE_URL with it did not run',
  );

describe.runIf(outside)('an external PostgreSQL', () => {
  let server: OutsidePostgres;
  beforeAll(async () => {
    server = await startOutsidePostgres(outside!);
  });
  afterAll(() => server?.close());

  it('works as well, with an owner that is not a superuser', async () => {
    const connection = connectionFromUrl(server.url);
    const { roles, applied } = await migrate(connection);
    expect(applied.length).toBeGreaterThan(0);
    const keyRing = givenKeyRing(parseMasterKey(randomBytes(32).toString('base64')));
    const storage = new Storage({ connection, roles, keyRing, works: false, onError: () => {} });
    await storage.start();
    const one = await storage.system.createOrganization('One', operator);
    const two = await storage.system.createOrganization('Two', operator);
    const store = storage.tenant(one.id, operator);
    const systemId = await store.transaction(async transaction => {
      const system = await createSystem(transaction, { name: 'A', environment: 'test', kind: 'api' });
      await transaction.enqueue('scan-plan', [{ scanId: one.id }]);
      return system.id;
    });
    const row = eventRow();
    const stream = { organizationId: one.id, systemId };
    expect(await storeEvents(storage.events, stream, [row, eventRow()])).toBe(2);
    await storage.sweep();
    expect(await storeEvents(storage.events, stream, [row, eventRow({ kind: 'other.kind' })])).toBe(1);
    expect((await listEventRows(store, { kind: 'a.kind' })).events).toHaveLength(2);
    expect((await countEvents(store, {})).kinds).toEqual([
      { kind: 'a.kind', count: 2 },
      { kind: 'other.kind', count: 1 },
    ]);
    expect((await listEventRows(storage.tenant(two.id, operator), {})).events).toEqual([]);
    expect((await listSystems(store, {})).rows).toHaveLength(1);
    expect((await listSystems(storage.tenant(two.id, operator), {})).rows).toEqual([]);
    expect(await storage.system.brokenAuditChains()).toEqual([]);
    expect((await migrate(connection)).applied).toEqual([]);
    await storage.close(0);
  });
});
