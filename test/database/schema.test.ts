import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { writeSchema } from '../../maintenance/schema/write-schema.ts';
import { migrate } from '../../src/database/migrate.ts';
import { asOwner, createDatabase, type TestDatabase } from '../support/postgres.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase(inject('postgres'));
  await migrate(database.connection);
});
afterAll(() => database?.drop());

it('has the types of the migrated database: `npm run schema` writes them', async () => {
  const committed = await readFile(new URL('../../src/database/schema.ts', import.meta.url), 'utf8');
  expect(committed).toBe(await asOwner(database.connection, writeSchema));
});
