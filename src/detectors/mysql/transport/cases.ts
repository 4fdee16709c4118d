import type { MysqlCapture } from '../../../captures/mysql.ts';
import type { GoldenCase } from '../../golden-case.ts';
import {
  account,
  mariadbAccounts,
  mariadbWith,
  mysqlWith,
  notSeen,
  plaintextUsers,
} from '../hardened-capture.ts';

const off = { require_secure_transport: 'OFF' };
const plaintext = { check: 'mysql.plaintext_allowed', locator: 'require_secure_transport' };
const tlsOnly = [account('shop', '10.1.%', { requires_tls: true })];

export const cases: readonly GoldenCase<MysqlCapture>[] = [
  {
    name: 'old TLS on a server that listens on loopback only',
    capture: mysqlWith({ tls_version: 'TLSv1.1,TLSv1.2', bind_address: '127.0.0.1,::1' }),
    expected: [{ check: 'mysql.tls_version_old', locator: 'tls_version TLSv1.1', severity: 'low' }],
  },
  { name: 'hardened MySQL', capture: mysqlWith(), expected: [] },
  { name: 'hardened MariaDB', capture: mariadbWith(), expected: [] },
  { name: 'MySQL that does not require TLS', capture: mysqlWith(off), expected: [plaintext] },
  {
    name: 'MariaDB without a certificate',
    capture: mariadbWith({ ...off, have_ssl: 'DISABLED' }),
    expected: [plaintext],
    notAssessed: ['mysql.tls_version_old'],
  },
  {
    name: 'Debian’s default: on loopback only',
    capture: mariadbWith({ ...off, have_ssl: 'DISABLED', bind_address: '127.0.0.1' }),
    expected: [{ ...plaintext, severity: 'info' }],
    notAssessed: ['mysql.tls_version_old'],
  },
  {
    name: 'no TLS, and no account for the network',
    capture: mariadbWith({ ...off, have_ssl: 'DISABLED' }, [account('shop', 'localhost')]),
    expected: [],
    notAssessed: ['mysql.plaintext_allowed', 'mysql.tls_version_old'],
  },
  {
    name: 'two loopback addresses',
    capture: mysqlWith({ ...off, bind_address: '127.0.0.1,::1' }),
    expected: [{ ...plaintext, severity: 'info' }],
  },
  {
    name: 'loopback and one more address',
    capture: mysqlWith({ ...off, bind_address: '127.0.0.1,10.1.0.5' }),
    expected: [plaintext],
  },
  {
    name: 'a name that only starts like loopback',
    capture: mysqlWith({ ...off, bind_address: '127.0.0.1.example.com' }),
    expected: [plaintext],
  },
  { name: 'socket only', capture: mysqlWith({ ...off, skip_networking: 'ON' }), expected: [] },
  { name: 'every remote account requires TLS', capture: mysqlWith(off, tlsOnly), expected: [] },
  {
    name: 'one remote account does not require TLS',
    capture: mysqlWith(off, [...tlsOnly, account('crm', 'app.example.com')]),
    expected: [plaintext],
  },
  {
    name: 'unknown accounts: the setting alone decides',
    capture: { ...mysqlWith(off), accounts: notSeen() },
    expected: [plaintext],
  },
  {
    name: 'MariaDB 10.4, which has no setting, with accounts that require TLS',
    capture: mariadbWith({ require_secure_transport: null }, tlsOnly),
    expected: [],
  },
  {
    name: 'MariaDB 10.4 with accounts that do not',
    capture: mariadbWith({ require_secure_transport: null }, mariadbAccounts),
    expected: [plaintext],
  },
  {
    name: 'MariaDB 10.4 with unknown accounts',
    capture: { ...mariadbWith({ require_secure_transport: null }), accounts: notSeen() },
    expected: [],
    notAssessed: ['mysql.plaintext_allowed'],
  },
  {
    name: 'unknown addresses',
    capture: mysqlWith({ ...off, bind_address: null }),
    expected: [],
    notAssessed: ['mysql.plaintext_allowed'],
  },
  {
    name: 'old versions of TLS',
    capture: mysqlWith({ tls_version: 'TLSv1,TLSv1.1,TLSv1.2' }),
    expected: [
      { check: 'mysql.tls_version_old', locator: 'tls_version TLSv1.0' },
      { check: 'mysql.tls_version_old', locator: 'tls_version TLSv1.1' },
    ],
  },
  {
    name: 'the format of newer MariaDB',
    capture: mariadbWith({ tls_version: 'TLSv1.0, TLSv1.2' }),
    expected: [{ check: 'mysql.tls_version_old', locator: 'tls_version TLSv1.0' }],
  },
  {
    name: 'old versions allowed, but no TLS',
    capture: mariadbWith({ tls_version: 'TLSv1.1,TLSv1.2', have_ssl: 'DISABLED', skip_networking: 'ON' }),
    expected: [],
    notAssessed: ['mysql.tls_version_old'],
  },
  {
    name: 'unknown TLS versions',
    capture: mysqlWith({ tls_version: null }),
    expected: [],
    notAssessed: ['mysql.tls_version_old'],
  },
  {
    name: 'two accounts connected without encryption',
    capture: { ...mysqlWith(), plaintext_users: plaintextUsers(['repl', 'shop']) },
    expected: [
      { check: 'mysql.plaintext_session', locator: "'repl'" },
      { check: 'mysql.plaintext_session', locator: "'shop'" },
    ],
  },
  {
    name: 'Amazon RDS’s own replication',
    capture: {
      ...mysqlWith({ basedir: '/rdsdbbin/mysql/' }),
      plaintext_users: plaintextUsers(['rdsrepladmin']),
    },
    expected: [],
  },
  {
    name: 'Google Cloud SQL, whose instance may require TLS',
    capture: mysqlWith({ ...off, version: '8.0.31-google', version_comment: '(Google)' }),
    expected: [],
    notAssessed: ['mysql.plaintext_allowed'],
  },
  {
    name: 'nothing could be read',
    capture: {
      ...mysqlWith(),
      variables: notSeen(),
      accounts: notSeen(),
      plaintext_users: notSeen('The performance schema is off.'),
    },
    expected: [],
    notAssessed: ['mysql.plaintext_allowed', 'mysql.plaintext_session', 'mysql.tls_version_old'],
  },
];
