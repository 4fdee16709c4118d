import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { openPool } from '../../src/database/connection.ts';
import { migrate } from '../../src/database/migrate.ts';
import { sessionSettings } from '../../src/database/session-settings.ts';
import { givenKeyRing } from '../../src/resources/credentials/key-ring.ts';
import { parseMasterKey } from '../../src/resources/credentials/master-key.ts';
import { Storage } from '../../src/resources/storage.ts';
import { createSystem, listSystems } from '../../src/resources/systems/systems.ts';
import { hasPgbouncer, type Pgbouncer, startPgbouncer } from '../support/pgbouncer.ts';
import { createDatabase, type TestDatabase } from '../support/postgres.ts';
import { useStorage } from '../support/use-storage.ts';

const operator = { kind: 'operator', id: 'test' } as const;

/** Fewer than there are clients, so that each transaction may get another session. */
const sessions = 3;

describe.runIf(hasPgbouncer())('behind a pooler in transaction mode', () => {
  let database: TestDatabase;
  let pooler: Pgbouncer;
  const start = async (changes: Record<string, string | number> = { default_pool_size: sessions }) => {
    pooler = await startPgbouncer(database.connection, changes);
  };
  beforeEach(async () => {
    database = await createDatabase(inject('postgres'));
  });
  afterEach(async () => {
    await pooler?.close();
    await database.drop();
  });

  it('all storage works', async () => {
    await start();
    await useStorage(pooler.connection);
  });

  it('statements of many organizations at once stay in theirs', async () => {
    await start();
    const { roles } = await migrate(pooler.connection);
    const keyRing = givenKeyRing(parseMasterKey(randomBytes(32).toString('base64')));
    const { connection } = pooler;
    const storage = new Storage({ connection, roles, keyRing, works: false, onError: () => {} });
    const names = Array.from({ length: 12 }, (_, index) => `Organization ${index}`);
    const organizations = Promise.all(names.map(name => storage.system.createOrganization(name, operator)));
    await expect(organizations).resolves.toHaveLength(names.length);
    const stores = (await organizations).map(({ id }) => storage.tenant(id, operator));
    const system = (name: string) => ({ name, environment: 'test', kind: 'api' }) as const;
    const created = Promise.all(
      stores.map((store, index) =>
        store.transaction(transaction =>
          // Sent together.
          Promise.all([1, 2, 3].map(() => createSystem(transaction, system(names[index]!)))),
        ),
      ),
    );
    await expect(created).resolves.toHaveLength(names.length);
    const lists = await Promise.all(
      stores.flatMap(store => Array.from({ length: 5 }, () => listSystems(store, {}))),
    );
    const found = lists.map(({ rows }) => rows.map(row => row.name));
    expect(found).toEqual(names.flatMap(name => Array.from({ length: 5 }, () => [name, name, name])));
    await storage.close(0);
  });

  it('sessions have their settings', async () => {
    await start();
    const { roles } = await migrate(pooler.connection);
    for (const role of [roles.app, roles.system]) {
      const pool = openPool({ ...pooler.connection, ...role }, 'test', 1);
      const { rows } = await pool.query<{ name: string; value: string }>(
        'select name, current_setting(name) as value from unnest($1::text[]) as settings (name)',
        [Object.keys(sessionSettings)],
      );
      expect(Object.fromEntries(rows.map(({ name, value }) => [name, value]))).toEqual(sessionSettings);
      await pool.end();
    }
  });

  it('nodes that start together do not wait for each other’s connections', async () => {
    await start({ default_pool_size: 1 });
    const results = await Promise.all([1, 2, 3].map(() => migrate(pooler.connection)));
    expect(results.filter(({ applied }) => applied.length > 0)).toHaveLength(1);
  });

  it.each([
    [
      'refuses the settings of sessions',
      {},
      /unsupported startup parameter.*set DATABASE_POOLER=transaction\.$/,
    ],
    [
      'drops them',
      { ignore_startup_parameters: 'options' },
      /^The settings of sessions do not arrive.*set DATABASE_POOLER=transaction\.$/,
    ],
  ])('it must be announced, whether it %s', async (_what, changes, line) => {
    await start(changes);
    const { isPooled: _, ...unannounced } = pooler.connection;
    await expect(migrate(unannounced)).rejects.toThrow(line);
  });
});
