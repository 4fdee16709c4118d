import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { connectionFromUrl } from '../../src/database/connection-url.ts';
import { migrate } from '../../src/database/migrate.ts';
import { givenKeyRing } from '../../src/resources/credentials/key-ring.ts';
import { parseMasterKey } from '../../src/resources/credentials/master-key.ts';
import { Storage } from '../../src/resources/storage.ts';
import { asOwner, createDatabase, type TestDatabase, urlOf } from '../support/postgres.ts';

const operator = { kind: 'operator', id: 'test' } as const;

let database: TestDatabase;
let storage: Storage;
let limited: Promise<unknown>;
beforeAll(async () => {
  database = await createDatabase(inject('postgres'));
  const connection = connectionFromUrl(urlOf(database.connection));
  const { roles } = await migrate(connection);
  const keyRing = givenKeyRing(parseMasterKey(randomBytes(32).toString('base64')));
  limited = new Promise(onYield => {
    storage = new Storage({ connection, roles, keyRing, works: false, onError() {}, onYield });
  });
  await storage.start();
  await asOwner(database.connection, owner =>
    owner.query(`alter role "${roles.app.user}" connection limit 2`),
  );
});
afterAll(async () => {
  await storage?.close(0);
  await database?.drop();
});

it('leaves others a connection if PostgreSQL permits few and the statements of an organization are slow', async () => {
  const [one, other] = await Promise.all(
    ['One', 'Other'].map(async name =>
      storage.tenant((await storage.system.createOrganization(name, operator)).id, operator),
    ),
  );
  // The third is opened alone: PostgreSQL may refuse more than exceed the limit of those that are opened together.
  for (const calls of [2, 3])
    await Promise.all(Array.from({ length: calls }, () => one!.queryOnce({ text: 'select pg_sleep(0.1)' })));
  await limited;
  await asOwner(database.connection, async lock => {
    await lock.query('begin');
    await lock.query('select pg_advisory_xact_lock(4711)');
    const waiting = Array.from({ length: 5 }, () =>
      one!.queryOnce({ text: 'select pg_advisory_xact_lock_shared(4711)' }),
    );
    const answer = other!.queryOnce({ text: 'select 1 as answer' });
    expect(await answer.catch(String)).toEqual([{ answer: 1 }]);
    await lock.query('commit');
    await Promise.all(waiting);
  });
});
