import { readFile } from 'node:fs/promises';
import net from 'node:net';
import mysql from 'mysql2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testAuthority } from '../../../test/support/certificates.ts';
import { checksMissing, findingsOf, liveScan } from '../../../test/support/live-scan.ts';
import { hasMariadb, startMariadb } from '../../../test/support/mariadb.ts';
import type { DatabaseServer } from '../../../test/support/postgres-server.ts';
import { startRelay } from '../../../test/support/relay.ts';
import { loopbackGuard, type TestServer } from '../../../test/support/website.ts';
import type { MysqlCapture } from '../../captures/mysql.ts';
import { detectorsFor } from '../../detectors/catalogue.ts';
import { grantsChecks } from '../../detectors/mysql/grants/checks.ts';
import { collectMysql } from './collect.ts';

const authority = testAuthority();
const certificate = authority.issue({ covers: ['127.0.0.1'] });
const password = 'S3cret-test-password';
const read = (path: string) => readFile(new URL(`../../../${path}`, import.meta.url), 'utf8');

/** The statements of a script, without its comments. */
function statementsOf(script: string): string[] {
  return script
    .replace(/^--.*$/gm, '')
    .split(';')
    .map(statement => statement.replace(/\s+/g, ' ').trim())
    .filter(Boolean);
}

/**
 * The script in docs/databases/mysql.md for the scan's account, with this machine's address and the test's password.
 */
async function leastPrivilege(heading: string): Promise<string[]> {
  const document = await read('docs/databases/mysql.md');
  const [, script = ''] = new RegExp(`^### ${heading}\\n[^#]*?\`\`\`sql\\n([^\`]*)\`\`\``, 'm').exec(
    document,
  )!;
  return statementsOf(
    script.replaceAll('10.1.9.5', '127.0.0.1').replaceAll('a-long-random-password', password),
  );
}

function collect(server: TestServer, user: string, path = ''): Promise<MysqlCapture> {
  return collectMysql(`127.0.0.1:${server.port}`, {
    guard: loopbackGuard(),
    signal: AbortSignal.timeout(20_000),
    trustedRoots: [authority.root],
    credential: { type: 'dsn', dsn: `mysql://${user}:${password}@127.0.0.1:${server.port}${path}` },
  });
}

const findings = (capture: MysqlCapture) => findingsOf(liveScan(detectorsFor('mysql'), capture));

/**
 * The test servers listen on loopback only, since they have accounts without passwords. This returns what the same
 * server would show if it listened on the network.
 */
function onNetwork(capture: MysqlCapture): MysqlCapture {
  if (!capture.variables.assessed) throw new Error(capture.variables.reason);
  expect(capture.variables.value.bind_address).toBe('127.0.0.1');
  return {
    ...capture,
    variables: { assessed: true, value: { ...capture.variables.value, bind_address: '*' } },
  };
}

/** What counts more while other machines reach the server. */
const higher = new Map([
  ["mysql.anonymous_account ''@'localhost' medium", "mysql.anonymous_account ''@'localhost' high"],
  ["mysql.password_empty 'careless'@'%' high", "mysql.password_empty 'careless'@'%' critical"],
  ['mysql.tls_version_old tls_version TLSv1.1 low', 'mysql.tls_version_old tls_version TLSv1.1 medium'],
]);

const ofAccounts = [
  "mysql.anonymous_account ''@'localhost' medium",
  "mysql.authentication_plugin_old 'legacy'@'10.1.%' high",
  'mysql.authentication_plugin_old mysql_native_password info',
  "mysql.global_privileges 'app'@'%' medium",
  "mysql.global_privileges 'boss'@'%' medium",
  "mysql.password_empty ''@'localhost' high",
  "mysql.password_empty 'careless'@'%' high",
  "mysql.password_empty 'either'@'localhost' high",
];
const ofSettings = [
  'mysql.binary_log_off log_bin info',
  'mysql.log_detail_weak log_error info',
  'mysql.log_detail_weak slow_query_log info',
  'mysql.login_attempts_unlimited max_password_errors info',
  'mysql.password_lifetime_unlimited default_password_lifetime info',
  'mysql.protection_disabled have_symlink info',
  'mysql.audit_missing server low',
  'mysql.local_infile local_infile medium',
  'mysql.password_validation_missing server low',
  'mysql.secure_file_priv secure_file_priv medium',
  'mysql.sql_mode_lenient sql_mode NO_AUTO_CREATE_USER low',
  'mysql.sql_mode_lenient sql_mode STRICT_TRANS_TABLES low',
  'mysql.tls_version_old tls_version TLSv1.1 low',
];
const ofNetwork = [
  'mysql.plaintext_allowed require_secure_transport high',
  "mysql.privileged_from_anywhere 'app'@'%' high",
  "mysql.privileged_from_anywhere 'boss'@'%' high",
];
/** On loopback there is no network to intercept or connect from. */
const ofLoopback = [
  'mysql.plaintext_allowed require_secure_transport info',
  "mysql.privileged_from_anywhere 'app'@'%' low",
  "mysql.privileged_from_anywhere 'boss'@'%' low",
];
const ofSession = ["mysql.plaintext_session 'careless' high"];
const inTime = ['mysql.version_end_of_life MariaDB medium', 'mysql.version_table_outdated MariaDB info'];

const behind = ['mysql.version_behind MariaDB medium'];
const ofGrants = Object.values(grantsChecks).map(({ id }): string => id);
/** Shown by `weak-settings.test.ts` and `grants.test.ts`. */
const elsewhere = [
  ...['general_log_on', 'durability_weak', 'password_policy_weak', 'idle_timeout_long'],
  ...['tls_ciphers_weak', 'encryption_partial'],
];
/** A setting that only MySQL 8 has, which is not available here. MariaDB never logs it. */
const unseen = [...ofGrants, 'mysql.log_raw', ...elsewhere.map(name => `mysql.${name}`)];

/** Findings without the series, which depends on the MariaDB of this machine. */
const anySeries = (seen: readonly string[]) => seen.map(one => one.replace(/MariaDB \d+\.\d+/, 'MariaDB'));

describe.skipIf(!hasMariadb())('a misconfigured MariaDB', () => {
  let server: DatabaseServer;
  beforeAll(async () => {
    server = await startMariadb(
      certificate,
      [
        ...(await leastPrivilege('MariaDB')),
        `create user bare@127.0.0.1 identified by '${password}'`,
        `create user root@127.0.0.1 identified by '${password}'`,
        'grant all on *.* to root@127.0.0.1 with grant option',
        "create user ''@localhost",
        'create user careless',
        `create user boss identified by '${password}'`,
        'grant all on *.* to boss with grant option',
        "create user legacy@'10.1.%' identified via mysql_old_password using '0123456789abcdef'",
        "create user gone@'%' account lock",
        'create role readers',
        "create user either@localhost identified via unix_socket or mysql_native_password using ''",
      ],
      { parameters: ['--sql-mode=', '--tls-version=TLSv1.1,TLSv1.2,TLSv1.3', '--performance-schema=on'] },
    );
    // Granted by an administrator: the startup statements run without an account that may grant them.
    const root = mysql.createConnection({ host: '127.0.0.1', port: server.port, user: 'root', password });
    for (const statement of [
      'create role dba',
      'grant all on *.* to dba with grant option',
      'create role team',
      'grant dba to team',
      `create user app identified by '${password}'`,
      'grant team to app',
    ]) {
      await root.promise().query(statement);
    }
    root.destroy();
  });
  afterAll(() => server?.close());

  it('reports exactly its flaws with the least-privileged account', async () => {
    const capture = await collect(server, 'parapet');
    const { seen, notAssessed } = findings(capture);
    expect(seen).toEqual([...ofAccounts, ...ofSettings, ...ofLoopback].sort());
    const reached = [...ofAccounts, ...ofSettings].map(one => higher.get(one) ?? one);
    expect(findings(onNetwork(capture)).seen).toEqual([...reached, ...ofNetwork].sort());
    // Debian backports fixes, so the version number proves little.
    expect([...notAssessed.keys()].filter(check => check !== 'mysql.version_behind')).toEqual([]);
  });

  it('reports end of life and an outdated version table in time', async () => {
    const capture = await collect(server, 'parapet');
    const { seen } = findings({ ...capture, collected_at: '2040-01-01T00:00:00Z' });
    expect(anySeries(seen)).toEqual([...ofAccounts, ...ofSettings, ...ofLoopback, ...inTime].sort());
  });

  it.each([
    ['the first release of its series lacks fixes', '0', behind],
    ['a release newer than all known ones lacks none', '9', []],
  ])('%s, in a build of the vendor', async (_, digit, expected) => {
    // Debian backports fixes, so the version number proves little: the relay rewrites it to that of a vendor build.
    const relay = await startRelay(server.port, text =>
      text
        .replace(/(\d+\.\d+\.)(\d+)(?=-MariaDB)/g, (_, series, n) => series + digit.repeat(n.length))
        .replace(/debian|ubuntu/gi, 'origin')
        .replaceAll('+deb', '+own'),
    );
    try {
      const { seen, notAssessed } = findings(await collect(relay, 'root', '/?ssl-mode=disabled'));
      expect(anySeries(seen)).toEqual([...ofAccounts, ...ofSettings, ...ofLoopback, ...expected].sort());
      expect(notAssessed).toEqual(new Map());
    } finally {
      await relay.close();
    }
  });

  it('collects nothing more as root', async () => {
    const [asRoot, asParapet] = [await collect(server, 'root'), await collect(server, 'parapet')];
    expect({ ...asRoot, collected_at: '' }).toEqual({ ...asParapet, collected_at: '' });
  });

  it('collects no password hash', async () => {
    const text = JSON.stringify(await collect(server, 'root'));
    expect(text).not.toMatch(/[0-9A-F]{16}/i);
    expect(text).not.toContain(password);
  });

  it('reports what an account without privileges may not read, and passes none of those checks', async () => {
    const { seen, notAssessed } = findings(await collect(server, 'bare'));
    expect(seen).toEqual([...ofSettings, ofLoopback[0]].sort());
    const byAccounts = [
      ...['mysql.password_empty', 'mysql.anonymous_account', 'mysql.privileged_from_anywhere'],
      ...['mysql.authentication_plugin_old', 'mysql.global_privileges'],
      ...ofGrants,
    ];
    for (const check of byAccounts) {
      expect([check, notAssessed.get(check)]).toEqual([
        check,
        'The account lacks SELECT on mysql.global_priv.',
      ]);
    }
    expect(notAssessed.get('mysql.plaintext_session')).toBe(
      'The account lacks SELECT on performance_schema.threads.',
    );
    expect(notAssessed.size).toBe(byAccounts.length + 2);
  });

  it('reports users connected without TLS from another address', async () => {
    const socket = net.connect({ host: '127.0.0.1', port: server.port, localAddress: '127.0.0.2' });
    const client = mysql.createConnection({ stream: socket, user: 'careless' });
    try {
      await client.promise().query('select 1');
      expect(findings(await collect(server, 'parapet')).seen).toEqual(
        [...ofAccounts, ...ofSettings, ...ofLoopback, ...ofSession].sort(),
      );
    } finally {
      client.destroy();
    }
  });
});

describe.skipIf(!hasMariadb())('the hardened MariaDB of the examples', () => {
  let server: DatabaseServer;
  beforeAll(async () => {
    const accounts = (await read('examples/hardened-mariadb/accounts.sql'))
      .replaceAll('10.1.9.5', '127.0.0.1')
      .replace('Change-me-3-parapet', password);
    // The test waits for the server's messages: without the folder of the log, they go to the standard error stream.
    const configuration = (await read('examples/hardened-mariadb/my.cnf'))
      .replaceAll('/var/lib/mysql-files', '{folder}')
      .replace('/var/log/mysql/', '{folder}/missing/');
    server = await startMariadb(certificate, statementsOf(accounts), { configuration });
  });
  afterAll(() => server?.close());

  it('has no findings, even on a network', async () => {
    const capture = onNetwork(await collect(server, 'parapet'));
    const { seen, notAssessed } = findings(capture);
    expect(seen).toEqual([]);
    expect([...notAssessed.keys()].filter(check => check !== 'mysql.version_behind')).toEqual([]);
  });
});

describe.skipIf(!hasMariadb())('a MariaDB without its performance schema', () => {
  it('is not assessed for sessions', async () => {
    const server = await startMariadb(certificate, await leastPrivilege('MariaDB'));
    try {
      const { plaintext_users } = await collect(server, 'parapet');
      expect(plaintext_users).toEqual({ assessed: false, reason: 'The performance schema is off.' });
    } finally {
      await server.close();
    }
  });
});

it('shows every check firing somewhere, except one', () => {
  const seen = [...ofAccounts, ...ofSettings, ...ofNetwork, ...ofSession, ...inTime, ...behind];
  expect(checksMissing('mysql', seen)).toEqual(unseen);
});
