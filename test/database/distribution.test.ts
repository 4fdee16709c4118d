import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { migrate } from '../../src/database/migrate.ts';
import { asOwner, createDatabase, type TestDatabase } from '../support/postgres.ts';

// A database that is distributed by organization (such as with Citus) enforces only keys that begin with it.

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase(inject('postgres'));
  await migrate(database.connection);
});
afterAll(() => database?.drop());

/** Unique keys that do not begin with the organization, with what a distributed database would do instead. */
const exceptions: Readonly<Record<string, string>> = {
  'api_keys: api_keys_id': 'a request names only its key: keys would stay on one node group, with the guard',
  'invitations: invitations_token':
    'a link has only its token, a hash of 256 random bits: unique without the index',
};

const names = (text: string) =>
  asOwner(database.connection, async client =>
    (await client.query<{ name: string }>(text)).rows.map(({ name }) => name),
  );

/** Tables with rows of organizations; their partitions have the same keys. */
const ofOrganizations = `select c.oid, c.relname, a.attnum from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and a.attname = 'organization_id' and not a.attisdropped`;

it('has unique keys that begin with the organization, in all tables of organizations', async () => {
  const others = await names(
    `select t.relname || ': ' || i.indexrelid::regclass as name from (${ofOrganizations}) as t
      join pg_index i on i.indrelid = t.oid where i.indisunique and i.indkey[0] <> t.attnum order by 1`,
  );
  expect(others.filter(name => !(name in exceptions))).toEqual([]);
});

// People belong to no organization: theirs would be a reference table, which every node has.
it('has references to rows of organizations that begin with the organization', async () => {
  const others = await names(
    `select t.relname || ': ' || k.conname as name from (${ofOrganizations}) as t
      join pg_constraint k on k.conrelid = t.oid and k.contype = 'f' and k.conparentid = 0
      left join (${ofOrganizations}) as target on target.oid = k.confrelid
      where k.confrelid = 'organizations'::regclass and k.conkey[1] <> t.attnum
        or target.oid is not null and (k.conkey[1] <> t.attnum or k.confkey[1] <> target.attnum) order by 1`,
  );
  expect(others).toEqual([]);
});

it('names only exceptions that exist', async () => {
  const keys = await names(
    `select t.relname || ': ' || i.indexrelid::regclass as name from (${ofOrganizations}) as t join pg_index i on i.indrelid = t.oid`,
  );
  expect(Object.keys(exceptions).filter(name => !keys.includes(name))).toEqual([]);
});
