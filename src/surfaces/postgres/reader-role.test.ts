import { readFile, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DatabaseServer, startPostgresServer } from '../../../test/support/postgres-server.ts';
import { authority, installedPostgres, scanPostgres } from '../../../test/support/scan-postgres.ts';

const script = (name: string) =>
  readFile(new URL(`../../../docs/databases/${name}.sql`, import.meta.url), 'utf8');
const hba = 'host all all 127.0.0.1/32 scram-sha-256\nhostssl clinic all 10.0.0.0/8 scram-sha-256\n';
/** Not assessed in a database without a configured API. */
const ofApi = [
  ...['extension_in_public', 'foreign_table_exposed', 'graphql_exposes_tables', 'materialized_view_exposed'],
  ...['queue_exposed', 'rls_disabled', 'security_definer_api', 'view_bypasses_rls', 'view_runs_as_owner'],
].map(id => `postgres.${id}`);

const ofRules = ['trust', 'password', 'md5', 'all_addresses', 'remote_superuser'].map(
  id => `postgres.hba_${id}`,
);

async function asAdmin(port: number, text: string) {
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: 'admin',
    password: 'x',
    database: 'postgres',
  });
  await client.connect();
  return client.query(text).finally(() => client.end());
}
const hbaFileOf = async (port: number): Promise<string> =>
  (await asAdmin(port, 'show hba_file')).rows[0].hba_file;

describe.each(await installedPostgres())('the role for scans, on $name', ({ programs }) => {
  let server: DatabaseServer;
  beforeAll(async () => {
    server = await startPostgresServer(authority.issue({ covers: ['127.0.0.1'] }), [], {
      ...(programs ? { programs } : {}),
      hba,
      fill: async client => {
        await client.query("alter role admin password 'x'");
        await client.query("create role bare login password 'x'");
        await client.query(await script('parapet-reader'));
        await client.query("alter role parapet_reader password 'x'");
        await client.query("create role auditor login password 'x'");
        // The same rights under another name, and the optional ones too.
        const rights = (await script('parapet-reader')).split('$$;')[1]!;
        const passwords = await script('parapet-reader-passwords');
        await client.query(`${rights}${passwords}`.replaceAll('parapet_reader', 'auditor'));
      },
    });
  });
  afterAll(() => server?.close());
  const unseen = async (logIn: string) => {
    const { notAssessed, capture } = await scanPostgres(server.port, logIn, 'postgres');
    expect(capture.server.reader).toBe(logIn.split(':')[0]);
    const applicable = notAssessed.filter(({ inapplicable }) => !inapplicable);
    return Object.fromEntries(applicable.map(({ check, reason }) => [check, reason]));
  };

  it('reads everything but password kinds', async () => {
    const reasons = await unseen('parapet_reader:x');
    expect(Object.keys(reasons).sort()).toEqual([
      ...['postgres.hba_remote_superuser', 'postgres.md5_password', ...ofApi].sort(),
    ]);
    expect(reasons['postgres.md5_password']).toContain('rolpassword of pg_authid');
    expect(reasons['postgres.hba_remote_superuser']).toContain('rolpassword of pg_authid');
  });

  it('reads everything with the optional part', async () => {
    expect(Object.keys(await unseen('auditor:x')).sort()).toEqual(ofApi);
  });

  it('reads nothing more as a superuser', async () => {
    expect(Object.keys(await unseen('admin:x')).sort()).toEqual(ofApi);
  });

  it('passes no check for lack of rights: each reason has the missing privilege', async () => {
    const reasons = await unseen('bare:x');
    const settings = 'Reading the settings needs membership in pg_read_all_settings.';
    const rules = 'Reading the hba rules needs EXECUTE on function pg_hba_file_rules().';
    expect(reasons).toEqual({
      'postgres.tls_minimum_old': settings,
      'postgres.pgaudit_missing': settings,
      ...Object.fromEntries(
        [
          ...[
            'library_path_unsafe',
            'password_checks_missing',
            'password_in_setting',
            'pgaudit_classes_missing',
          ],
          ...['security_module_missing', 'tls_ciphers_weak', 'unix_socket_open'],
        ].map(id => [`postgres.${id}`, settings]),
      ),
      ...Object.fromEntries(
        [
          ...['hba_every_role_and_database', 'hba_external_unprotected', 'hba_line_invalid'],
          ...['hba_replication_open', 'hba_wide_network', 'ident_map_wide'],
        ].map(id => [`postgres.${id}`, rules]),
      ),
      ...Object.fromEntries(ofApi.map(id => [id, expect.stringContaining('pgrst.db_schemas')])),
      'postgres.log_statement_none': expect.stringContaining(settings),
      'postgres.plaintext_session': 'Reading the plaintext sessions needs membership in pg_read_all_stats.',
      'postgres.hba_trust': rules,
      'postgres.hba_password': rules,
      'postgres.hba_md5': rules,
      'postgres.hba_all_addresses': rules,
      'postgres.plaintext_allowed': rules,
      'postgres.hba_remote_superuser': rules,
      'postgres.md5_password': expect.stringContaining(
        'SELECT on columns rolname, rolcanlogin and rolpassword',
      ),
    });
  });

  it.each(['parapet_reader:x', 'admin:x'])('assesses no rules that are not loaded, as %s', async logIn => {
    const path = await hbaFileOf(server.port);
    // File times are read in seconds.
    const change = async (text: string, seconds: number) => {
      await writeFile(path, text);
      const time = Date.now() / 1000 + seconds;
      await utimes(path, time, time);
    };
    await change('host all all 127.0.0.1/32 scram-sha-256\n', 5);
    try {
      const reasons = await unseen(logIn);
      for (const check of ofRules) expect(reasons[check]).toContain('run `select pg_reload_conf();`');
    } finally {
      await change(hba, -60);
    }
    expect(Object.keys(await unseen(logIn))).not.toContain('postgres.hba_trust');
  });

  it.each([
    ['the scanning role', 'role parapet_reader', 'is set for the scanning role'],
    ['the database', 'database postgres', 'is set for this database'],
  ])('does not report a setting of %s as the server’s', async (_whose, of, reason) => {
    const names = ['debug_print_plan', 'log_statement', 'password_encryption'];
    const values = ['off', "'ddl'", "'scram-sha-256'"];
    for (const [index, name] of names.entries()) {
      await asAdmin(server.port, `alter ${of} set ${name} = ${values[index]}`);
    }
    try {
      const reasons = await unseen('parapet_reader:x');
      for (const check of ['debug_print_on', 'log_statement_none', 'password_encryption_weak']) {
        expect(reasons[`postgres.${check}`], check).toContain(reason);
      }
    } finally {
      await asAdmin(server.port, `alter ${of} reset all`);
    }
  });

  it('finds the file outside the data directory through a link', async () => {
    const path = await hbaFileOf(server.port);
    const moved = await startPostgresServer(
      authority.issue({ covers: ['127.0.0.1'] }),
      ["alter role admin password 'x'"],
      { ...(programs ? { programs } : {}), settings: { hba_file: path } },
    );
    try {
      await asAdmin(moved.port, await script('parapet-reader'));
      await asAdmin(moved.port, "alter role parapet_reader password 'x'");
      const { rows } = await asAdmin(moved.port, 'show data_directory');
      const reasonOf = async () => {
        const { notAssessed } = await scanPostgres(moved.port, 'parapet_reader:x', 'postgres');
        return notAssessed.find(({ check }) => check === 'postgres.hba_trust')?.reason;
      };
      expect(await reasonOf()).toContain('has no link parapet_hba.conf to it');
      await symlink(path, join(rows[0].data_directory, 'parapet_hba.conf'));
      expect(await reasonOf()).toBe(undefined);
    } finally {
      await moved.close();
    }
  });

  it('finds the same with the role as with a superuser', async () => {
    const flaws = async (logIn: string) =>
      (await scanPostgres(server.port, logIn, 'postgres')).observations.map(
        ({ check, locator }) => `${check} ${locator}`,
      );
    expect(await flaws('auditor:x')).toEqual(await flaws('admin:x'));
  });
});
