import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { connectionFromUrl } from '../../src/database/connection-url.ts';
import { installJobs } from '../../src/database/jobs/install.ts';
import { migrate } from '../../src/database/migrate.ts';
import { readMigrations } from '../../src/database/migrations.ts';
import { testAuthority } from '../support/certificates.ts';
import { olderPostgres } from '../support/older-postgres.ts';
import { findOutsidePostgres, startOutsidePostgres } from '../support/outside-postgres.ts';
import { poll } from '../support/poll.ts';
import { asOwner, createDatabase, type TestDatabase } from '../support/postgres.ts';
import { startPostgresServer } from '../support/postgres-server.ts';
import { useStorage } from '../support/use-storage.ts';

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

  it('leave nothing running if the job queue cannot be installed', async () => {
    const { roles } = await migrate(database.connection);
    const timers = () => process.getActiveResourcesInfo().filter(name => name === 'Timeout').length;
    await asOwner(database.connection, other =>
      asOwner(database.connection, async owner => {
        await other.query('begin; lock table pgboss.queue in share mode');
        await owner.query("set lock_timeout = '100ms'");
        const before = timers();
        await expect(installJobs(owner, roles)).rejects.toMatchObject({ code: '55P03' });
        // Other timers of this process come and go.
        await poll('its timers end', () => timers() <= before, 20);
        await other.query('rollback');
      }),
    );
  });

  it('refuse a database that is newer than the program, or older if they may not change it', async () => {
    const change = (sql: string) => asOwner(database.connection, client => client.query(sql));
    await change(
      "insert into schema_migrations (version, name, checksum, oldest) values (9999, '9999_future', 'x', 9999)",
    );
    await expect(migrate(database.connection)).rejects.toThrow(
      /newer than this program: it has migration 9999_future/,
    );
    await change('delete from schema_migrations where version = 9999');
    await change('delete from schema_migrations where version = 58');
    await expect(migrate(database.connection, { instead: 'do something else' })).rejects.toThrow(
      'This release changes the database (0058_rolling_upgrades): do something else',
    );
    await change("update schema_migrations set checksum = 'x' where version = 1");
    await expect(migrate(database.connection)).rejects.toThrow(
      /0001_organizations was applied with other content/,
    );
  });

  it('leave a database of a newer release as it is, if this program can run with it', async () => {
    const newer = await createDatabase(inject('postgres'));
    const { roles } = await migrate(newer.connection);
    const change = (sql: string) => asOwner(newer.connection, client => client.query(sql));
    const known = (await readMigrations()).at(-1)!.version;
    await change(`insert into schema_migrations (version, name, checksum, oldest) values (9999, '9999_future', 'x', ${known});
      delete from releases; alter role "${roles.app.user}" in database "${newer.connection.database}" set work_mem = '5MB'`);
    for (const options of [{}, { instead: 'do something else' }]) {
      expect(await migrate(newer.connection, options)).toEqual({ roles, applied: [] });
    }
    expect((await change('select from releases')).rowCount).toBe(0);
    await change(`update schema_migrations set oldest = ${known + 1} where version = 9999`);
    await expect(migrate(newer.connection)).rejects.toThrow(
      /newer than this program: it has migration 9999_future/,
    );
    await newer.drop();
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

describe('an external PostgreSQL works as well, with an owner that is not a superuser', () => {
  it.runIf(outside)('of the oldest release that Debian has here', async () => {
    const server = await startOutsidePostgres(outside!);
    await useStorage(connectionFromUrl(server.url));
    await server.close();
  });

  it.each([16, 17] as const)('of release %s', async major => {
    const statements = [
      "create role tenant_owner login createrole password 'a password'",
      'create database hosted owner tenant_owner',
    ];
    const programs = await olderPostgres(major);
    const server = await startPostgresServer(testAuthority().issue(), statements, { programs });
    const owner = { user: 'tenant_owner', password: 'a password' };
    await useStorage({ host: '127.0.0.1', port: server.port, ...owner, database: 'hosted' });
    await server.close();
  });

  it('of the newest release', async () => {
    const database = await createDatabase(inject('postgres'));
    const owner = { user: `${database.connection.database}_owner`, password: 'a password' };
    await asOwner(database.connection, client =>
      client.query(`create role ${owner.user} login createrole password '${owner.password}';
        alter database ${database.connection.database} owner to ${owner.user}`),
    );
    await useStorage({ ...database.connection, ...owner });
    await database.drop();
    await asOwner(inject('postgres'), client => client.query(`drop role ${owner.user}`));
  });
});
