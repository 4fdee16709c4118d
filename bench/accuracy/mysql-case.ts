import mysql from 'mysql2';
import { detectorsFor } from '../../src/detectors/catalogue.ts';
import { collectMysql } from '../../src/surfaces/mysql/collect.ts';
import { testAuthority } from '../../test/support/certificates.ts';
import { liveScan } from '../../test/support/live-scan.ts';
import { startMariadb } from '../../test/support/mariadb.ts';
import { loopbackGuard } from '../../test/support/website.ts';
import type { AccuracyCase } from './case.ts';

export interface MysqlCaseOptions extends Omit<AccuracyCase, 'scan'> {
  /** Run by an administrator. The database `shop` and the accounts `app@10.1.%` and `any@%` exist. */
  readonly sql?: readonly string[];
  /** Options of the server, in place of hardened ones. */
  readonly options?: Readonly<Record<string, string>>;
}

/** What every site of the kind does. */
const hardened = {
  'plugin-load-add': 'simple_password_check;server_audit;auth_ed25519',
  'simple-password-check-minimal-length': '14',
  'server-audit-logging': 'ON',
  'require-secure-transport': '1',
  'tls-version': 'TLSv1.2,TLSv1.3',
  'local-infile': '0',
  // Any folder that exists.
  'secure-file-priv': '/srv',
  'sql-mode': 'STRICT_TRANS_TABLES,NO_AUTO_CREATE_USER',
  'performance-schema': '1',
};
const password = 'Long-enough-1-text';
const authority = testAuthority();

/** A hardened MariaDB of Debian with changes. It listens on loopback, and is judged as if it did on the network. */
export function mysqlCase({ sql = [], options = {}, ...rest }: MysqlCaseOptions): AccuracyCase {
  return {
    ...rest,
    scan: async () => {
      const settings = Object.entries({ ...hardened, ...options });
      const server = await startMariadb(
        authority.issue({ covers: ['127.0.0.1'] }),
        [
          `create user root@127.0.0.1 identified by '${password}'`,
          'grant all on *.* to root@127.0.0.1 with grant option',
          'grant proxy on ``@`` to root@127.0.0.1 with grant option',
        ],
        { parameters: settings.map(([name, value]) => `--${name}=${value}`) },
      );
      const root = mysql.createConnection({
        ...{ host: '127.0.0.1', port: server.port, user: 'root', password },
        ssl: { ca: authority.root },
      });
      try {
        for (const statement of [
          'create database shop',
          `create user app@'10.1.%' identified via ed25519 using password('${password}')`,
          `create user 'any'@'%' identified via ed25519 using password('${password}')`,
          `grant select, insert, update, delete on shop.* to app@'10.1.%', 'any'@'%'`,
          ...sql,
        ])
          await root.promise().query(statement);
        const capture = await collectMysql(`127.0.0.1:${server.port}`, {
          guard: loopbackGuard(),
          signal: AbortSignal.timeout(20_000),
          trustedRoots: [authority.root],
          credential: { type: 'dsn', dsn: `mysql://root:${password}@127.0.0.1:${server.port}` },
        });
        if (!capture.variables.assessed) throw new Error(capture.variables.reason);
        const value = { ...capture.variables.value, bind_address: '*' };
        return liveScan(detectorsFor('mysql'), { ...capture, variables: { assessed: true, value } });
      } finally {
        root.destroy();
        await server.close();
      }
    },
  };
}
