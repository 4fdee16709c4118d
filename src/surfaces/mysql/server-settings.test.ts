import mysql from 'mysql2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testAuthority } from '../../../test/support/certificates.ts';
import { findingsOf, liveScan } from '../../../test/support/live-scan.ts';
import { hasMariadb, startMariadb } from '../../../test/support/mariadb.ts';
import type { DatabaseServer } from '../../../test/support/postgres-server.ts';
import { loopbackGuard } from '../../../test/support/website.ts';
import { detectorsFor } from '../../detectors/catalogue.ts';
import { driftEvents, type KnownFacts, knownFacts } from '../../probe/drift.ts';
import { factsOf } from '../../scan/facts.ts';
import { collectMysql } from './collect.ts';

/** Settings and accounts of a server that would hide accounts from a scan. */

const authority = testAuthority();
const password = 'S3cret-test-password';

describe.skipIf(!hasMariadb())('a MariaDB with unusual settings', () => {
  let server: DatabaseServer;
  let root: mysql.Connection;
  const run = (statement: string) => root.promise().query(statement);
  const as = (user: string) => ({ host: '127.0.0.1', port: server.port, user });
  beforeAll(async () => {
    server = await startMariadb(
      authority.issue({ covers: ['127.0.0.1'] }),
      [
        `create user root@127.0.0.1 identified by '${password}'`,
        'grant all on *.* to root@127.0.0.1 with grant option',
        "create user ''@localhost",
        'create user careless',
        `create user boss identified by '${password}'`,
        'grant all on *.* to boss with grant option',
      ],
      {
        parameters: [
          ...[
            '--performance-schema=on',
            '--character-set-server=latin1',
            '--skip-character-set-client-handshake',
          ],
        ],
      },
    );
    root = mysql.createConnection({ ...as('root'), password });
    await run('set names utf8mb4');
    // By an administrator: the startup statements run without an account that may grant roles.
    await run('create role readers');
    await run('grant readers to boss with admin option');
    await run(`create user 'žluť'@'10.1.%' identified by '${password}'`);
  });
  afterAll(async () => {
    root?.destroy();
    await server?.close();
  });
  const collect = () =>
    collectMysql(`127.0.0.1:${server.port}`, {
      guard: loopbackGuard(),
      signal: AbortSignal.timeout(20_000),
      trustedRoots: [authority.root],
      credential: { type: 'dsn', dsn: `mysql://root:${password}@127.0.0.1:${server.port}` },
    });
  const findings = async () => findingsOf(liveScan(detectorsFor('mysql'), await collect()));

  it.each([
    ['sql_mode', "'EMPTY_STRING_IS_NULL'"],
    ['sql_mode', "'PAD_CHAR_TO_FULL_LENGTH'"],
    ['sql_mode', "'ORACLE,EMPTY_STRING_IS_NULL'"],
    ['sql_mode', "'ANSI_QUOTES,PIPES_AS_CONCAT,NO_BACKSLASH_ESCAPES,HIGH_NOT_PRECEDENCE'"],
    ['sql_select_limit', '0'],
    ['max_join_size', '1'],
    ['in_predicate_conversion_threshold', '2'],
    ['group_concat_max_len', '4'],
    ['max_sort_length', '64'],
    ['character_set_results', 'ucs2'],
    ['collation_connection', 'utf8mb4_bin'],
    ['time_zone', "'-11:00'"],
    ['completion_type', "'CHAIN'"],
    ['autocommit', '0'],
  ])('reads the same with %s = %s', async (name, value) => {
    const before = await collect();
    expect(JSON.stringify(before.accounts)).toContain('žluť');
    const [rows] = await run(`select @@global.${name} as value`);
    const [{ value: usual }] = rows as { value: unknown }[] as [{ value: unknown }];
    await run(`set global ${name} = ${value}`);
    try {
      const { accounts, role_grants, plaintext_users, variables } = await collect();
      expect({ accounts, role_grants, plaintext_users }).toEqual({
        accounts: before.accounts,
        role_grants: before.role_grants,
        plaintext_users: before.plaintext_users,
      });
      expect(Object.keys(variables.assessed ? variables.value : {})).toHaveLength(
        Object.keys(before.variables.assessed ? before.variables.value : {}).length,
      );
    } finally {
      await root.promise().query(`set global ${name} = ?`, [usual]);
    }
  });

  it('reports an account of the server from another host', async () => {
    await run("create user 'mysql.sys'@'%'");
    await run("grant all on *.* to 'mysql.sys'@'%' with grant option");
    const { seen } = await findings();
    expect(seen).toEqual(
      expect.arrayContaining([
        "mysql.password_empty 'mysql.sys'@'%' high",
        "mysql.privileged_from_anywhere 'mysql.sys'@'%' low",
      ]),
    );
    expect(seen.join()).not.toContain('mariadb.sys');
  });

  it('reads eight ways to sign in, and says if an account has more', async () => {
    const strong = "mysql_native_password using '*94BDCEBE19083CE2A1F959FD02F964C7AF4CFC29'";
    const ways = (count: number) => Array.from({ length: count }, () => strong).join(' or ');
    await run(`create user seven@'%' identified via ${ways(7)} or mysql_native_password using ''`);
    const { seen, notAssessed } = await findings();
    expect(seen).toContain("mysql.password_empty 'seven'@'%' high");
    expect(notAssessed.has('mysql.password_empty')).toBe(false);
    await run(`create user many@'%' identified via ${ways(8)} or mysql_native_password using ''`);
    const login = mysql.createConnection(as('many'));
    await login.promise().query('select 1');
    login.destroy();
    const later = await findings();
    expect(later.notAssessed.get('mysql.password_empty')).toEqual(
      expect.stringMatching(
        /^Not all ways to sign in were read of .*many.*: a scan reads 8 of each account\.$/,
      ),
    );
    await run('drop user many');
  });

  const factsNow = async () => knownFacts(undefined, factsOf('mysql', await collect()));

  it.each(['insert, update', 'set user', 'read_only admin'])(
    'reports a granted privilege: %s',
    async privileges => {
      await run('create user app');
      const before = await factsNow();
      await run(`grant ${privileges} on *.* to app`);
      expect(
        driftEvents(
          'source',
          { facts: before, factsAt: { grant: '2026-11-26T08:00:00Z' } },
          await factsNow(),
        ),
      ).toMatchObject([{ changes: [{ area: 'grant', name: 'privileges of app@%', change: 'changed' }] }]);
      await run('drop user app');
    },
  );

  it('reports a role that can be granted on from now on', async () => {
    const before = await factsNow();
    await run('grant readers to careless with admin option');
    const granted = await factsNow();
    await run('revoke admin option for readers from careless');
    const last = await factsNow();
    const changesBetween = (old: KnownFacts, now: KnownFacts) =>
      driftEvents('source', { facts: old, factsAt: { grant: '2026-11-26T08:00:00Z' } }, now);
    const change = (what: string) => [
      { changes: [{ area: 'grant', name: 'role readers@ to careless@%', change: what }] },
    ];
    expect(changesBetween(before, granted)).toMatchObject(change('added'));
    expect(changesBetween(granted, last)).toMatchObject(change('changed'));
  });

  it('knows how an account without a plugin signs in', async () => {
    await run("insert into mysql.global_priv values ('%', 'plain', '{\"access\":0}')");
    await run('flush privileges');
    const login = mysql.createConnection(as('plain'));
    const signedIn = await login
      .promise()
      .query('select 1')
      .then(
        () => true,
        () => false,
      );
    login.destroy();
    expect([signedIn, (await findings()).seen.includes("mysql.password_empty 'plain'@'%' high")]).toEqual([
      true,
      true,
    ]);
  });
});
