import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type BuiltPostgres,
  changesBetween,
  rowsOf,
  startBuiltPostgres,
} from '../../../test/support/built-postgres.ts';
import { installedPostgres } from '../../../test/support/scan-postgres.ts';
import type { PostgresCapture } from '../../captures/postgres.ts';
import { driftEvents, knownFacts } from '../../probe/drift.ts';
import { factsOf } from '../../scan/facts.ts';

/** A role with CREATE on a schema, or on the database, fills the catalogs: other parts are assessed all the same. */

/** Each character takes four bytes in JSON, and two in the server's spelling. */
const quotes = '""'.repeat(63);

const many = (count: number, statement: string) =>
  `do $$ begin for i in 1..${count} loop execute format(${pg.escapeLiteral(statement)}, i); end loop; end $$`;

// One is enough: other tests send the questions to all.
describe.each((await installedPostgres()).slice(0, 1))('a crowded database on $name', ({ programs }) => {
  let server: BuiltPostgres;
  let clients: Readonly<Record<'admin' | 'builder', pg.Client>>;
  const asUser = async (user: 'admin' | 'builder', ...statements: readonly string[]) => {
    for (const statement of statements) await clients[user].query(statement);
  };
  beforeAll(async () => {
    server = await startBuiltPostgres(
      programs,
      `create schema app; create table app.secrets (id int); grant usage on schema app to builder;
        create role clerk; grant select on app.secrets to clerk;
        create function app.check() returns int language sql security definer as 'select 1'`,
    );
    clients = { admin: await server.logIn('admin'), builder: await server.logIn('builder') };
    await asUser('builder', 'create schema crowd', `create domain crowd."${quotes}" as int`);
  }, 60_000);
  afterAll(() => server?.close());

  const grantsIn = ({ grants }: PostgresCapture) => rowsOf(grants).map(({ name }) => name);

  it('reports a change of grants as no change of row security', async () => {
    await asUser(
      'admin',
      `create table app.customers (id int); create view app.invoked with (security_invoker) as select * from app.customers;
        grant usage on schema app to public; grant select on app.customers, app.invoked to public`,
    );
    const granted = await server.capture();
    await asUser('admin', 'revoke all on app.customers, app.invoked from public');
    const revoked = await server.capture();
    const names = ['table app.customers', 'view app.invoked'];
    const changed = names.map(name => ({ area: 'grant', name, change: 'changed' }));
    expect(changesBetween(granted, revoked)).toEqual(changed);
    expect(changesBetween(revoked, granted)).toEqual(changed);
    await asUser('admin', 'alter table app.customers enable row level security');
    const protecting = { area: 'policy', name: 'row security of app.customers', change: 'added' };
    expect(changesBetween(revoked, await server.capture())).toEqual([protecting]);
    await asUser('admin', 'drop table app.customers cascade');
  });

  it('lists grants of functions with long signatures, each by a distinct name', async () => {
    const types = Array.from({ length: 99 }, () => `crowd."${quotes}"`).join();
    await asUser(
      'builder',
      many(700, `create function crowd.f%s(${types}) returns int language sql as 'select 1'`),
      `do $$ declare f regprocedure; begin for f in select oid from pg_proc where pronamespace = 'crowd'::regnamespace
        loop execute format('grant execute on function %s to builder', f); end loop; end $$`,
    );
    const names = grantsIn(await server.capture());
    const crowd = names.filter(name => name.startsWith('function crowd.f'));
    expect([new Set(crowd).size, Math.max(...crowd.map(({ length }) => length)) < 80]).toEqual([700, true]);
    expect(crowd[0]).toMatch(/^function crowd\.f\d+\(99 arguments, hash [0-9a-f]{1,16}\)$/);
    expect(names).toContain('table app.secrets');
    expect(names).not.toContain('function app."check"()');
  });

  it('shortens signatures of more than 20,000 characters', async () => {
    const types = Array.from({ length: 99 }, () => `"${quotes}"."${quotes}"`).join();
    await asUser(
      'builder',
      `create schema "${quotes}"`,
      `create domain "${quotes}"."${quotes}" as int`,
      `create function crowd.long(${types}) returns int language sql security definer as 'select 1'`,
      `create function crowd.long(${types}, int) returns int language sql security definer as 'select 1'`,
    );
    const functions = rowsOf((await server.capture()).definer_functions).map(({ signature }) => signature);
    expect(functions.filter(signature => signature.startsWith('crowd.long(')).sort()).toEqual([
      expect.stringMatching(/^crowd\.long\(100 arguments, hash /),
      expect.stringMatching(/^crowd\.long\(99 arguments, hash /),
    ]);
    expect(functions).toContain('app."check"()');
  });

  it('leaves out a row that is too long, and says so', async () => {
    const roles = Array.from({ length: 550 }, (_, index) => `"r${index}${quotes.slice(10)}"`);
    await asUser('admin', ...roles.map(role => `create role ${role}`));
    await asUser(
      'builder',
      'create table crowd.rows (id int)',
      `create policy wide on crowd.rows to ${roles.join()} using (true)`,
      'create policy plain on crowd.rows using (true)',
    );
    const { policies, schemas } = await server.capture();
    expect(policies).toMatchObject({ value: { truncated: true } });
    expect(rowsOf(policies).map(({ name }) => name)).toEqual(['plain']);
    expect(schemas).toMatchObject({ value: { truncated: false } });
    await asUser('builder', 'drop table crowd.rows');
    await asUser('admin', ...roles.map(role => `drop role ${role}`));
  }, 60_000);

  it('reads the other parts if one has more bytes than are read', async () => {
    const definer = `create function crowd."%s${quotes.slice(20)}" () returns int language sql security definer as 'select 1'`;
    await asUser('builder', many(3_500, definer));
    await asUser('admin', definer.replace('crowd."%s', 'app."later'));
    const { definer_functions, roles, relations } = await server.capture();
    expect(definer_functions).toMatchObject({ value: { truncated: true } });
    const ofOthers = rowsOf(definer_functions).filter(({ schema }) => schema === 'app');
    expect(ofOthers.map(({ signature }) => signature)).toEqual([
      'app."check"()',
      expect.stringMatching(/^app\."later/),
    ]);
    expect(rowsOf(definer_functions).length).toBeGreaterThan(2_000);
    expect([roles.assessed, relations.assessed]).toEqual([true, true]);
  }, 60_000);

  it('assesses schemas of others behind those of one owner', async () => {
    await asUser('admin', 'create schema zz', 'grant create on schema zz to public');
    await asUser('builder', many(700, `create schema "${'\u0001'.repeat(55)}%s"`));
    const { schemas } = await server.capture();
    expect(schemas).toMatchObject({ value: { truncated: true } });
    expect(rowsOf(schemas)).toContainEqual({ name: 'zz', public_may_create: true, api_creators: [] });
    const names = Array.from({ length: 700 }, (_, index) => `"${'\u0001'.repeat(55)}${index + 1}"`);
    for (let from = 0; from < 700; from += 50)
      await asUser('builder', `drop schema ${names.slice(from, from + 50).join()}`);
  });

  it('notices a change of grants behind tables that come and go', async () => {
    await asUser('admin', 'create schema shared', 'grant create, usage on schema shared to builder');
    await asUser('admin', 'create table shared.secrets (id int)', 'grant select on shared.secrets to clerk');
    const before = knownFacts(undefined, factsOf('postgres', await server.capture()));
    await asUser(
      'builder',
      many(1_501, 'create table shared.z%s (id int)'),
      many(1_501, 'grant select on shared.z%s to clerk'),
    );
    await asUser('admin', 'grant all on shared.secrets to public');
    const between = knownFacts(before, factsOf('postgres', await server.capture()));
    expect(Object.keys(between.grant!)).toContain('all tables of schema shared');
    await asUser(
      'builder',
      ...Array.from({ length: 16 }, (_, index) => {
        const some = Array.from({ length: 100 }, (_, at) => `shared.z${index * 100 + at}`);
        return `drop table if exists ${some.join()}`;
      }),
    );
    const factsAt = { grant: '2026-11-26T08:00:00Z' };
    const now = knownFacts(between, factsOf('postgres', await server.capture()));
    const events = driftEvents('source', { facts: between, factsAt }, now);
    expect(events.flatMap(event => (event.kind === 'probe.drift' ? event.changes : []))).toEqual([
      { area: 'grant', name: 'all tables of schema shared', change: 'removed' },
      { area: 'grant', name: 'table shared.secrets', change: 'changed' },
    ]);
  }, 60_000);

  it('notices every change of grants behind any number of functions', async () => {
    await asUser(
      'builder',
      'create schema more',
      many(5_001, "create function more.f%s() returns int language sql as 'select 1'"),
    );
    const few = await server.capture();
    await asUser('builder', 'grant execute on all functions in schema more to builder');
    const before = await server.capture();
    expect(before.grants).toMatchObject({ value: { truncated: false } });
    expect(grantsIn(before)).toContain('all functions of schema more');
    expect(changesBetween(few, before)).toEqual([
      { area: 'grant', name: 'all functions of schema more', change: 'added' },
    ]);
    await asUser('admin', 'grant all on app.secrets to public');
    const open = await server.capture();
    expect(changesBetween(before, open)).toContainEqual({
      area: 'grant',
      name: 'table app.secrets',
      change: 'changed',
    });
    await asUser('builder', 'revoke execute on function more.f7() from public');
    expect(changesBetween(open, await server.capture())).toEqual([
      { area: 'grant', name: 'all functions of schema more', change: 'changed' },
    ]);
  }, 120_000);

  it('notices every change of grants in any number of schemas', async () => {
    await asUser(
      'builder',
      `do $$ begin for i in 1..500 loop
        execute format('create schema c%s', i);
        for j in 1..10 loop
          execute format('create function c%s.f%s() returns int language sql as ''select 1''', i, j);
        end loop;
        execute format('grant execute on all functions in schema c%s to builder', i);
      end loop; end $$`,
    );
    const before = await server.capture();
    expect(before.grants).toMatchObject({ value: { truncated: false } });
    expect(grantsIn(before)).toEqual(
      expect.arrayContaining(['all functions of schema more', 'all other objects']),
    );
    // Alphabetically the last of the same number.
    await asUser('builder', 'revoke execute on function c99.f1() from public');
    expect(changesBetween(before, await server.capture())).toEqual([
      { area: 'grant', name: 'all other objects', change: 'changed' },
    ]);
  }, 120_000);

  it('assesses policies of others behind those of one owner, and notices every change', async () => {
    await asUser(
      'admin',
      `create table app.visits (id int); alter table app.visits enable row level security;
        grant usage on schema app to public; grant select, insert on app.visits to public`,
      'create policy open on app.visits using (true)',
      `create policy other on app.visits using (id::text = '${'a'.repeat(3_000)}')`,
    );
    await asUser(
      'builder',
      'create schema "aa crowd"; grant usage on schema "aa crowd" to public',
      many(5_100, 'create table "aa crowd".t%s (id int)'),
      many(5_100, 'alter table "aa crowd".t%s enable row level security'),
      many(5_100, `create policy p on "aa crowd".t%s using (id::text = '${'a'.repeat(1_500)}')`),
      many(5_100, 'grant select on "aa crowd".t%s to public'),
    );
    const before = await server.capture();
    for (const part of ['policies', 'relations', 'columns'] as const) {
      expect(before[part]).toMatchObject({ value: { truncated: true } });
      expect(JSON.stringify(before[part])).toContain('visits');
    }
    const ofVisits = rowsOf(before.policies).filter(({ relation }) => relation === 'visits');
    expect(ofVisits.map(({ name, using }) => [name, using])).toEqual([
      ['open', 'always_true'],
      ['other', 'other'],
    ]);
    expect(before.row_security_hashes).toMatchObject({ value: { truncated: false } });

    const changed = (name: string) => [{ area: 'policy', name, change: 'changed' }];
    await asUser('admin', 'alter policy other on app.visits using (id = 2)');
    const later = await server.capture();
    expect(changesBetween(before, later)).toEqual(changed('policy on app.visits: other'));
    await asUser('builder', 'alter policy p on "aa crowd".t77 to builder');
    const last = await server.capture();
    expect(changesBetween(later, last)).toEqual(changed('all policies of schema "aa crowd"'));
    await asUser('builder', 'alter table "aa crowd".t99 disable row level security');
    const tables = 'all tables with row security of schema "aa crowd"';
    expect(changesBetween(last, await server.capture())).toEqual(changed(tables));
  }, 120_000);
});
