import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type BuiltPostgres,
  changesBetween,
  startBuiltPostgres,
} from '../../../test/support/built-postgres.ts';
import { findingsOf, liveScan } from '../../../test/support/live-scan.ts';
import { installedPostgres } from '../../../test/support/scan-postgres.ts';
import type { PostgresCapture } from '../../captures/postgres.ts';
import { detectorsFor } from '../../detectors/catalogue.ts';

/** What a role that is no superuser can do hides neither findings nor changes. */

describe.each(await installedPostgres())('a role that is no superuser, on $name', ({ programs }) => {
  let server: BuiltPostgres;
  let clients: Readonly<Record<'admin' | 'builder', pg.Client>>;
  const asUser = async (user: 'admin' | 'builder', ...statements: readonly string[]) => {
    for (const statement of statements) await clients[user].query(statement);
  };
  beforeAll(async () => {
    server = await startBuiltPostgres(
      programs,
      `alter role builder createrole; alter database postgres owner to builder;
        create role cloud_admin login superuser password 'x'; create role service_role login bypassrls password 'x';
        create schema auth; create function auth.f() returns int security definer language sql as 'select 1';
        grant usage on schema auth to public;
        create role readers; create role app login; grant readers to app; create schema app;
        create table app.t (id int); create table app.u (id int); grant select on app.t, app.u to app`,
    );
    clients = { admin: await server.logIn('admin'), builder: await server.logIn('builder') };
  }, 60_000);
  afterAll(() => server?.close());

  const seenIn = (capture: PostgresCapture) => findingsOf(liveScan(detectorsFor('postgres'), capture)).seen;
  /** The changes that statements of a superuser cause. */
  const changesBy = async (...statements: readonly string[]) => {
    const before = await server.capture();
    await asUser('admin', ...statements);
    return changesBetween(before, await server.capture());
  };

  it.each(['neon_superuser', 'supabase_admin', 'rds_superuser', 'azure_pg_admin'])(
    'resolves nothing by creating %s',
    async name => {
      const before = seenIn(await server.capture());
      expect(before).toContain('postgres.extra_superuser role cloud_admin medium');
      await asUser('builder', `create role ${name} nologin`);
      expect(seenIn(await server.capture())).toEqual(expect.arrayContaining([...before]));
      await asUser('builder', `drop role ${name}`);
    },
  );

  it('hides nothing by adding it to an extension', async () => {
    await asUser(
      'builder',
      `create schema s; create extension citext schema s; grant usage on schema s to public;
        create function s.f() returns int security definer language sql as 'select 1';
        create table s.t (id int); grant insert on s.t to public`,
    );
    const before = await server.capture();
    const ofSchema = (capture: PostgresCapture) => seenIn(capture).filter(seen => / s\.[tf]/.test(seen));
    expect(ofSchema(before)).toHaveLength(3);
    await asUser(
      'builder',
      'alter extension citext add function s.f()',
      'alter extension citext add table s.t',
    );
    const hidden = await server.capture();
    expect(ofSchema(hidden)).toEqual(ofSchema(before));
    await asUser('builder', 'grant select on s.t to public');
    expect(changesBetween(hidden, await server.capture())).toEqual([
      { area: 'grant', name: 'table s.t', change: 'changed' },
    ]);
    // What the extension itself created belongs to a superuser.
    expect(JSON.stringify(hidden.grants)).not.toContain('citext');
  });

  it('invents no changes, and hides none, by settings of the database', async () => {
    const before = await server.capture();
    const settings = {
      quote_all_identifiers: 'on',
      datestyle: "'German, DMY'",
      intervalstyle: 'sql_standard',
      timezone: "'Asia/Tokyo'",
      extra_float_digits: '-15',
      bytea_output: 'escape',
      standard_conforming_strings: 'off',
      search_path: 's, app',
      transform_null_equals: 'on',
      row_security: 'off',
      default_transaction_isolation: 'serializable',
      default_transaction_deferrable: 'on',
    };
    for (const [name, value] of Object.entries(settings))
      await asUser('builder', `alter database postgres set ${name} = ${value}`);
    await asUser('builder', 'begin isolation level serializable', 'create temporary table busy (id int)');
    const now = await server.capture();
    await asUser('builder', 'rollback');
    // Assessed settings are reported as changed, and nothing else is.
    const changes = changesBetween(before, now);
    expect(new Set(changes.map(({ area }) => area))).toEqual(new Set(['setting']));
    const assessed = ['standard_conforming_strings', 'search_path', 'row_security'];
    for (const { name } of changes) expect(assessed).toContain(name.split(' ')[0]);
    expect(await changesBy('grant all on app.u to public')).toEqual([
      { area: 'grant', name: 'table app.u', change: 'changed' },
    ]);
    for (const name of Object.keys(settings))
      await asUser('builder', `alter database postgres reset ${name}`);
  });

  it('cannot get options of roles or default privileges without a reported change', async () => {
    const changed = [{ area: 'role', name: 'app', change: 'changed' }];
    expect(await changesBy('grant readers to app with admin option')).toEqual(changed);
    const version = Number((await server.capture()).server.version.split('.')[0]);
    if (version >= 16) expect(await changesBy('grant readers to app with set false')).toEqual(changed);
    expect(await changesBy("alter role app valid until '2027-01-01'")).toEqual(changed);
    expect(await changesBy("alter role app valid until '2099-01-01'")).toEqual(changed);
    expect(await changesBy('alter role app connection limit 3')).toEqual(changed);
    const name = 'default privilege of builder on tables in schema app';
    const defaults = 'alter default privileges for role builder in schema app';
    expect(await changesBy(`${defaults} grant select on tables to public`)).toEqual([
      { area: 'grant', name, change: 'added' },
    ]);
    expect(await changesBy(`${defaults} grant insert on tables to public`)).toEqual([
      { area: 'grant', name, change: 'changed' },
    ]);
    expect(await changesBy('create role "(listed before) x" superuser')).toContainEqual({
      area: 'role',
      name: '(listed before) x',
      change: 'added',
    });
  });

  it('cannot change row security without a reported change', async () => {
    const change = (how: string, name: string) => [{ area: 'policy', name, change: how }];
    const ofTable = (how: string) => change(how, 'row security of app.u');
    expect(await changesBy('alter table app.u enable row level security')).toEqual(ofTable('added'));
    expect(await changesBy('alter table app.u force row level security')).toEqual(ofTable('changed'));
    expect(await changesBy('alter table app.u disable row level security')).toEqual(ofTable('changed'));
    expect(await changesBy('alter table app.u no force row level security')).toEqual(ofTable('removed'));

    const ofPolicy = (how: string, name = '"own rows"') => change(how, `policy on app.u: ${name}`);
    const own = 'create policy "own rows" on app.u for select to app using (id = 1)';
    expect(await changesBy(own)).toEqual(ofPolicy('added'));
    expect(await changesBy('drop policy "own rows" on app.u', own)).toEqual([]);
    expect(await changesBy('alter policy "own rows" on app.u using (id = 1 or id > 0)')).toEqual(
      ofPolicy('changed'),
    );
    expect(await changesBy('alter policy "own rows" on app.u to app, builder')).toEqual(ofPolicy('changed'));
    expect(await changesBy('alter policy "own rows" on app.u to public')).toEqual(ofPolicy('changed'));
    const [dropped, restrictive] = [
      'drop policy "own rows" on app.u',
      own.replace(' for', ' as restrictive for'),
    ];
    expect(await changesBy(dropped, restrictive)).toEqual(ofPolicy('changed'));
    expect(await changesBy('alter policy "own rows" on app.u rename to own')).toEqual([
      ...ofPolicy('removed'),
      ...ofPolicy('added', 'own'),
    ]);
    const other = 'create policy other on app.u';
    await asUser('admin', `${other} for update using (true) with check (id = 1)`);
    expect(await changesBy('alter policy other on app.u with check (true)')).toEqual(
      ofPolicy('changed', 'other'),
    );
    expect(await changesBy('drop policy other on app.u', `${other} using (true) with check (true)`)).toEqual(
      ofPolicy('changed', 'other'),
    );
    // Longer than what is hashed.
    const long = () => `using (id::text = '${randomBytes(1_500_000).toString('hex')}')`;
    await asUser('admin', `create policy long on app.u ${long()}`);
    expect(await changesBy(`alter policy long on app.u ${long()}`)).toEqual(ofPolicy('changed', 'long'));
    await asUser(
      'admin',
      'drop policy own on app.u',
      'drop policy other on app.u',
      'drop policy long on app.u',
    );
  });

  it('has the rights of who reads a view reported', async () => {
    const version = Number((await server.capture()).server.version.split('.')[0]);
    if (version < 15) return;
    await asUser('admin', 'create view app.v as select id from app.t');
    const change = (how: string) => [{ area: 'policy', name: 'row security of app.v', change: how }];
    expect(await changesBy('alter view app.v set (security_invoker)')).toEqual(change('added'));
    expect(await changesBy('alter view app.v reset (security_invoker)')).toEqual(change('removed'));
  });

  it('has every change of very many grants on columns reported', async () => {
    const roles = Array.from({ length: 15 }, (_, index) => `grantee${index}`);
    const columns = Array.from({ length: 1_400 }, (_, index) => `c${index}`);
    await asUser(
      'admin',
      ...roles.map(name => `create role ${name}`),
      `create table app.wide (${columns.map(name => `${name} int`).join()})`,
      `grant select (${columns.join()}) on app.wide to ${roles.join()}`,
    );
    const changed = [{ area: 'grant', name: 'table app.wide', change: 'changed' }];
    expect(await changesBy('revoke select (c7) on app.wide from grantee7')).toEqual(changed);
    expect(await changesBy('analyze app.wide')).toEqual([]);
    await asUser('admin', 'drop table app.wide', `drop role ${roles.join()}`);
  });

  it('cannot get grants on other kinds of objects without a reported change', async () => {
    const added = (name: string) => [{ area: 'grant', name, change: 'added' }];
    await asUser(
      'admin',
      'create foreign data wrapper elsewhere',
      'create server far foreign data wrapper elsewhere',
    );
    expect(await changesBy('grant usage on foreign data wrapper elsewhere to builder')).toEqual(
      added('foreign data wrapper elsewhere'),
    );
    expect(await changesBy('grant usage on foreign server far to builder')).toEqual(
      added('foreign server far'),
    );
    expect(await changesBy('revoke usage on language plpgsql from public')).toEqual(
      added('language plpgsql'),
    );
    expect(await changesBy("alter role app set session_preload_libraries = 'x'")).toEqual([
      { area: 'setting', name: 'session_preload_libraries of app in all databases', change: 'added' },
    ]);
  });
});
