import mysql from 'mysql2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testAuthority } from '../../../test/support/certificates.ts';
import { findingsOf, liveScan } from '../../../test/support/live-scan.ts';
import { hasMariadb, startMariadb } from '../../../test/support/mariadb.ts';
import type { DatabaseServer } from '../../../test/support/postgres-server.ts';
import { loopbackGuard } from '../../../test/support/website.ts';
import { detectorsFor } from '../../detectors/catalogue.ts';
import { grantsChecks } from '../../detectors/mysql/grants/checks.ts';
import { collectMysql } from './collect.ts';

const authority = testAuthority();
const password = 'S3cret-test-password';
const app = "'app'@'10.1.%'";

/** Grants, and the findings that each causes on a server that listens on the network. */
const grants: readonly (readonly [sql: string, ...findings: string[]])[] = [
  [
    `grant select, insert, update on *.* to ${app}`,
    `mysql.password_hashes_readable ${app} low`,
    `mysql.system_schema_writable ${app} high`,
  ],
  [`grant select on *.* to ${app}`, `mysql.password_hashes_readable ${app} low`],
  [
    `grant select, update on mysql.* to ${app}`,
    `mysql.password_hashes_readable ${app} on mysql.* medium`,
    `mysql.system_schema_writable ${app} on mysql.* high`,
  ],
  [`grant insert on \`my%\`.* to ${app}`, `mysql.system_schema_writable ${app} on my%.* high`],
  [
    `grant update on mysql.global_priv to ${app}`,
    `mysql.system_schema_writable ${app} on mysql.global_priv high`,
  ],
  [`grant select on mysql.user to ${app}`, `mysql.password_hashes_readable ${app} on mysql.user medium`],
  [`grant select on mysql.global_priv to ${app}`],
  [`grant set user on *.* to ${app}`, `mysql.administrative_privileges ${app} medium`],
  ["grant set user on *.* to 'any'@'%'", "mysql.administrative_privileges 'any'@'%' high"],
  [`grant connection admin, binlog admin on *.* to ${app}`, `mysql.administrative_privileges ${app} low`],
  [`grant create user on *.* to ${app}`, `mysql.administrative_privileges ${app} medium`],
  [
    `grant binlog monitor, replication slave admin on *.* to ${app}`,
    `mysql.administrative_privileges ${app} low`,
  ],
  [`grant select on shop.* to ${app} with grant option`, `mysql.grant_option ${app} on shop.* low`],
  [
    'grant insert on *.* to writers; grant writers to team; grant team to app@`10.1.%`',
    `mysql.system_schema_writable ${app} high`,
  ],
  ['grant select, insert on `test\\_%`.* to public', 'mysql.test_database_open test\\_%.* medium'],
  [
    "insert into mysql.db (host, db, user, select_priv) values ('%', 'test', '', 'Y')",
    'mysql.test_database_open test.* medium',
  ],
  [
    `grant proxy on root@127.0.0.1 to ${app}`,
    `mysql.proxy_to_administrator ${app} as 'root'@'127.0.0.1' high`,
  ],
  [`grant replication slave on *.* to ${app}`, `mysql.replication_plaintext ${app} medium`],
  [`grant select, insert, update, delete, create on shop.* to ${app}`],
  [`grant process, reload, lock tables, binlog monitor on *.* to ${app}`],
];

describe.skipIf(!hasMariadb())('a MariaDB with grants', () => {
  let server: DatabaseServer;
  let root: mysql.Connection;
  const run = async (script: string) => {
    for (const statement of script.split('; ')) await root.promise().query(statement);
  };
  beforeAll(async () => {
    server = await startMariadb(authority.issue({ covers: ['127.0.0.1'] }), [
      `create user root@127.0.0.1 identified by '${password}'`,
      'grant all on *.* to root@127.0.0.1 with grant option',
      'grant proxy on ``@`` to root@127.0.0.1 with grant option',
    ]);
    root = mysql.createConnection({ host: '127.0.0.1', port: server.port, user: 'root', password });
  });
  afterAll(async () => {
    root?.destroy();
    await server?.close();
  });

  it.each(grants)('%s', async (sql, ...expected) => {
    await run(`create user ${app} identified by 'x'; create user 'any'@'%' identified by 'x'`);
    await run('create role writers; create role team');
    try {
      await run(sql);
      const capture = await collectMysql(`127.0.0.1:${server.port}`, {
        guard: loopbackGuard(),
        signal: AbortSignal.timeout(20_000),
        trustedRoots: [authority.root],
        credential: { type: 'dsn', dsn: `mysql://root:${password}@127.0.0.1:${server.port}` },
      });
      if (!capture.variables.assessed) throw new Error(capture.variables.reason);
      const variables = { ...capture.variables, value: { ...capture.variables.value, bind_address: '*' } };
      const { seen, notAssessed } = findingsOf(liveScan(detectorsFor('mysql'), { ...capture, variables }));
      const ids = Object.values(grantsChecks).map(({ id }): string => id);
      expect(seen.filter(one => ids.includes(one.split(' ')[0]!))).toEqual([...expected].sort());
      expect(ids.filter(id => notAssessed.has(id))).toEqual([]);
    } finally {
      await run(
        `drop user ${app}, 'any'@'%'; drop role writers, team; delete from mysql.db; flush privileges`,
      );
    }
  });
});
