import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BuiltPostgres, rowsOf, startBuiltPostgres } from '../../../test/support/built-postgres.ts';
import { installedPostgres } from '../../../test/support/scan-postgres.ts';

/** Some objects of a role with CREATE take the server long to read: those of others are assessed all the same. */

describe.each(await installedPostgres())('costly objects on $name', ({ programs }) => {
  let server: BuiltPostgres;
  let builder: pg.Client;
  beforeAll(async () => {
    server = await startBuiltPostgres(
      programs,
      `create schema auth; create table auth.users (id int); alter table auth.users enable row level security;
        create schema app; create table app.rows (id int); alter table app.rows enable row level security;
        create policy open on app.rows using (true);
        create policy trusting on app.rows using ('user_metadata' = current_user);
        create view app.window as select id from auth.users; grant usage on schema app to public;
        create view app.behind as select id from app.window;
        grant select on app.behind to public;
        create function app.open() returns int language sql security definer as 'select 1';
        create function app.fixed() returns int language sql security definer begin atomic select 1; end`,
    );
    builder = await server.logIn('builder');
    await builder.query('create schema crowd; create table crowd.t (id boolean, txt text)');
  }, 60_000);
  afterAll(() => server?.close());

  const policies = async () =>
    rowsOf((await server.capture()).policies)
      .toSorted((a, b) => (a.schema + a.name < b.schema + b.name ? -1 : 1))
      .map(({ name, using, check }) => [name, using, check]);
  const ofApp = [
    ['open', 'always_true', 'none'],
    ['trusting', 'user_metadata', 'none'],
  ];

  it('reads views that read each other', async () => {
    await builder.query(`create schema v; grant usage on schema v to public; create table v.b (id int);
      create view v.x1 as select id from v.b;
      do $$ declare list text; begin for i in 2..160 loop
        select string_agg(format('(select 1 from v.x%s limit 1)', j), ',') into list from generate_series(1, i - 1) j;
        execute format('create view v.x%s as select 1 as id where row(%s) is null', i, list);
      end loop; end $$; grant select on v.x160 to public`);
    const relations = rowsOf((await server.capture()).relations);
    expect(relations).toContainEqual(
      expect.objectContaining({ name: 'behind', bypasses_row_security: true, reads_schemas: ['auth'] }),
    );
    expect(relations).toContainEqual(
      expect.objectContaining({ name: 'x160', bypasses_row_security: false, reads_schemas: [] }),
    );
  }, 60_000);

  it('skips conditions of megabytes', async () => {
    await builder.query(
      `create policy small on crowd.t with check (id); do $$ begin for i in 1..12 loop
        execute format('create policy p%s on crowd.t using (txt = %L) with check (true)', i, repeat('a', 4000000));
      end loop; end $$`,
    );
    const skipped = Array.from({ length: 12 }, (_, index) => [`p${index + 1}`, 'skipped', 'skipped']);
    const expected = [...ofApp, ...skipped, ['small', 'none', 'other']];
    expect((await policies()).sort()).toEqual(expected.sort());
    await builder.query(`do $$ begin for i in 1..12 loop
      execute format('drop policy p%s on crowd.t', i); end loop; end $$`);
  }, 60_000);

  it('skips conditions that are nested too deeply for the server to write', async () => {
    await builder.query(`create policy deep on crowd.t using (id ${' is true'.repeat(7_000)})`);
    expect(await policies()).toEqual([...ofApp, ['deep', 'skipped', 'none'], ['small', 'none', 'other']]);
    await builder.query('drop policy deep on crowd.t');
  });

  it('skips conditions of a table with very many columns', async () => {
    const columns = Array.from({ length: 1_600 }, (_, index) => `c${index} int`);
    await builder.query(`create table crowd.wide (${columns.join()}); do $$ begin for i in 1..400 loop
      execute format('create policy w%s on crowd.wide using (c1 = %s)', i, i); end loop; end $$`);
    const all = await policies();
    expect(all.slice(0, 3)).toEqual([...ofApp, ['small', 'none', 'other']]);
    expect(all.filter(([, using]) => using === 'skipped').length).toBeGreaterThan(300);
    await builder.query('drop table crowd.wide');
  }, 60_000);

  it('skips conditions with sub-selects from tables with very many columns', async () => {
    const columns = Array.from({ length: 1_600 }, (_, index) => `c${index} int`);
    const wide = `(${Array.from({ length: 4 }, () => 'exists (select from crowd.wide)').join(' and ')})`;
    await builder.query(`create table crowd.wide (${columns.join()}); create table crowd.narrow (id int);
      do $$ begin for i in 1..151 loop
        execute format('create policy w%s on crowd.narrow using (${wide})', i);
      end loop; end $$`);
    const all = await policies();
    expect(all.slice(0, 3)).toEqual([...ofApp, ['small', 'none', 'other']]);
    expect(all.filter(([, using]) => using === 'skipped')).toHaveLength(151);
    await builder.query('drop table crowd.narrow, crowd.wide');
  }, 60_000);

  it('skips conditions with very many columns of one name', async () => {
    await builder.query(`create table crowd.many (id int); do $$ begin for i in 1..60 loop
      execute format('create policy x%s on crowd.many using (exists (select from crowd.t as w(a, b), (select ${Array.from({ length: 500 }, () => '1 as a').join()}) as s))', i);
    end loop; end $$`);
    const all = await policies();
    expect(all.slice(0, 3)).toEqual([...ofApp, ['small', 'none', 'other']]);
    expect(all.filter(([, using]) => using === 'skipped')).toHaveLength(60);
    await builder.query('drop table crowd.many');
  });

  it.each([
    ['of a locked table', 'crowd.t'],
    ['that read a locked table', 'crowd.read'],
    ['with values of the type of a locked table', 'crowd.row'],
  ])('skips conditions %s', async (_, table) => {
    await builder.query(`create table crowd.read (id int); create table crowd.row (id int); create table crowd.s (id int);
      create function crowd.rows() returns setof crowd.row language sql as 'select 1';
      create policy calling on crowd.s using (exists (select from crowd.rows()));
      create policy casting on crowd.s using (row(id)::crowd.row is not null);
      create policy reading on crowd.s using (exists (select from crowd.read)); create policy small on crowd.s using (id = 1)`);
    const of = (isLocked: boolean) => (isLocked ? 'skipped' : 'other');
    const expected = (locked: string) => [
      ...ofApp,
      ['calling', of(locked === 'crowd.row'), 'none'],
      ['casting', of(locked === 'crowd.row'), 'none'],
      ['reading', of(locked === 'crowd.read'), 'none'],
      ['small', 'other', 'none'],
      ['small', 'none', of(locked === 'crowd.t')],
    ];
    await builder.query(`begin; lock table ${table} in access exclusive mode`);
    expect((await policies()).sort()).toEqual(expected(table).sort());
    await builder.query('rollback');
    expect((await policies()).sort()).toEqual(expected('').sort());
    await builder.query('drop table crowd.s, crowd.read, crowd.row cascade');
  });

  it('knows whether names in a function are resolved when it runs', async () => {
    const functions = rowsOf((await server.capture()).definer_functions);
    expect(functions.map(each => [each.signature, each.search_path_fixed])).toEqual([
      ['app.open()', false],
      ['app.fixed()', true],
    ]);
  });
});
