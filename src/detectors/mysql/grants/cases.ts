import type { MysqlAccount, MysqlCapture } from '../../../captures/mysql.ts';
import type { GoldenCase } from '../../golden-case.ts';
import {
  account,
  mariadbAccounts,
  mariadbWith,
  mysqlAccounts,
  mysqlWith,
  notSeen,
  roleGrants,
  rows,
} from '../hardened-capture.ts';
import { grantsChecks } from './checks.ts';

const all = Object.values(grantsChecks).map(({ id }) => id);
const mysql = (...more: MysqlAccount[]) => mysqlWith({}, [...mysqlAccounts, ...more]);
const mariadb = (...more: MysqlAccount[]) => mariadbWith({}, [...mariadbAccounts, ...more]);

const nameOf = (text: string) => ({ user: text.split('@')[0] ?? '', host: text.split('@')[1] ?? '' });
const shop = 'shop@10.1.%';
const shopName = "'shop'@'10.1.%'";

const global = (to: string, ...privileges: string[]): Pick<MysqlCapture, 'global_grants'> => ({
  global_grants: rows({ to: nameOf(to), privileges }),
});
const object = (to: string, place: string, ...privileges: string[]): Pick<MysqlCapture, 'object_grants'> => {
  const [database = '', table = ''] = place.split('.');
  return {
    object_grants: rows({
      to: nameOf(to),
      database,
      table: table === '*' ? '' : table,
      is_system: ['mysql', '%', 'my%'].includes(database),
      privileges,
    }),
  };
};
const proxy = (to: string, proxied: string): Pick<MysqlCapture, 'proxy_grants'> => ({
  proxy_grants: rows({ to: nameOf(to), proxied: nameOf(proxied) }),
});

export const cases: readonly GoldenCase<MysqlCapture>[] = [
  { name: 'hardened MySQL', capture: mysqlWith(), expected: [] },
  { name: 'hardened MariaDB', capture: mariadbWith(), expected: [] },
  {
    name: 'everything for root',
    capture: {
      ...mysql(),
      ...global('root@localhost', 'SELECT', 'INSERT', 'UPDATE', 'SYSTEM_USER', 'REPLICATION SLAVE'),
      ...object('root@localhost', 'mysql.*', 'INSERT', 'GRANT OPTION'),
      ...proxy('root@localhost', '@'),
    },
    expected: [],
  },
  {
    name: 'all data for an application',
    capture: { ...mysql(), ...global(shop, 'SELECT', 'INSERT', 'UPDATE', 'DELETE') },
    expected: [
      { check: 'mysql.system_schema_writable', locator: shopName },
      { check: 'mysql.password_hashes_readable', locator: shopName, severity: 'low' },
    ],
  },
  {
    name: 'all data for a backup',
    capture: { ...mariadb(account('backup', 'localhost')), ...global('backup@localhost', 'SELECT') },
    expected: [{ check: 'mysql.password_hashes_readable', locator: "'backup'@'localhost'", severity: 'low' }],
  },
  {
    name: 'a dynamic privilege of MySQL 8',
    capture: { ...mysql(), ...global(shop, 'SYSTEM_VARIABLES_ADMIN') },
    expected: [{ check: 'mysql.administrative_privileges', locator: shopName, severity: 'medium' }],
  },
  {
    name: 'a dynamic privilege for an account of any host',
    capture: { ...mysql(account('app', '%')), ...global('app@%', 'SET_ANY_DEFINER') },
    expected: [{ check: 'mysql.administrative_privileges', locator: "'app'@'%'", severity: 'high' }],
  },
  {
    name: 'a privilege of MariaDB that cannot take over accounts',
    capture: { ...mariadb(), ...global(shop, 'CONNECTION ADMIN') },
    expected: [{ check: 'mysql.administrative_privileges', locator: shopName, severity: 'low' }],
  },
  {
    name: 'CREATE USER alone',
    capture: mysql(account('clerk', '10.1.%', { privileges: ['CREATE USER'] })),
    expected: [{ check: 'mysql.administrative_privileges', locator: "'clerk'@'10.1.%'" }],
  },
  {
    name: 'a privilege through nested roles',
    capture: {
      ...mysql(account('ops', '%', { locked: true })),
      role_grants: roleGrants('ops@% > readers@%', `readers@% > ${shop}`),
      ...global('ops@%', 'ROLE_ADMIN'),
    },
    expected: [{ check: 'mysql.administrative_privileges', locator: shopName }],
  },
  {
    name: 'a privilege of a role without members',
    capture: { ...mysql(), ...global('readers@%', 'ROLE_ADMIN', 'UPDATE') },
    expected: [],
  },
  {
    name: 'the schema mysql through MariaDB’s PUBLIC',
    capture: { ...mariadb(), ...object('PUBLIC@', 'mysql.*', 'UPDATE') },
    expected: [{ check: 'mysql.system_schema_writable', locator: 'every account on mysql.*' }],
  },
  {
    name: 'the schema mysql by a pattern',
    capture: { ...mysql(), ...object(shop, 'my%.*', 'SELECT', 'INSERT') },
    expected: [
      { check: 'mysql.system_schema_writable', locator: `${shopName} on my%.*` },
      { check: 'mysql.password_hashes_readable', locator: `${shopName} on my%.*` },
    ],
  },
  {
    name: 'a table of accounts',
    capture: { ...mariadb(), ...object(shop, 'mysql.global_priv', 'UPDATE') },
    expected: [{ check: 'mysql.system_schema_writable', locator: `${shopName} on mysql.global_priv` }],
  },
  {
    name: 'what a scan needs, and a table of time zones',
    capture: {
      ...mariadb(),
      object_grants: rows(
        ...(
          [
            ['global_priv', ['SELECT']],
            ['time_zone', ['INSERT', 'SELECT']],
          ] as const
        ).map(([table, privileges]) => ({
          to: nameOf(shop),
          database: 'mysql',
          table,
          is_system: true,
          privileges,
        })),
      ),
    },
    expected: [],
  },
  {
    name: 'a database that can be granted on',
    capture: { ...mysql(), ...object(shop, 'shop.*', 'SELECT', 'GRANT OPTION') },
    expected: [{ check: 'mysql.grant_option', locator: `${shopName} on shop.*` }],
  },
  {
    name: 'databases whose names differ in letters outside ASCII, and in a literal escape',
    capture: {
      ...mysql(),
      object_grants: rows(
        ...['\u00e9', '\u00fc', '\\u{e9}'].map(database => ({
          to: nameOf(shop),
          database,
          table: '',
          is_system: false,
          privileges: ['GRANT OPTION'],
        })),
      ),
    },
    expected: ['\\u{e9}', '\\u{fc}', '\\u{5c}u{e9}'].map(name => ({
      check: 'mysql.grant_option',
      locator: `${shopName} on ${name}.*`,
    })),
  },
  {
    name: 'databases for tests, for everyone',
    capture: { ...mysql(), ...object('@%', 'test\\_%.*', 'SELECT', 'INSERT', 'CREATE') },
    expected: [{ check: 'mysql.test_database_open', locator: 'test\\_%.*' }],
  },
  {
    name: 'a database for tests of one account',
    capture: { ...mysql(), ...object(shop, 'test.*', 'SELECT', 'INSERT') },
    expected: [],
  },
  {
    name: 'PROXY to root, and to anyone',
    capture: {
      ...mysql(),
      proxy_grants: rows(
        { to: nameOf(shop), proxied: nameOf('root@localhost') },
        { to: nameOf(shop), proxied: nameOf('@') },
        { to: nameOf(shop), proxied: nameOf('readers@%') },
      ),
    },
    expected: [
      { check: 'mysql.proxy_to_administrator', locator: `${shopName} as 'root'@'localhost'` },
      { check: 'mysql.proxy_to_administrator', locator: `${shopName} as ''@''` },
    ],
  },
  {
    name: 'a replica without TLS',
    capture: {
      ...mysqlWith({ require_secure_transport: 'OFF' }, [
        ...mysqlAccounts,
        account('replica', '10.1.%'),
        account('strict', '10.1.%', { requires_tls: true }),
      ]),
      global_grants: rows(
        ...['replica@10.1.%', 'strict@10.1.%'].map(name => ({
          to: nameOf(name),
          privileges: ['REPLICATION SLAVE'],
        })),
      ),
    },
    expected: [{ check: 'mysql.replication_plaintext', locator: "'replica'@'10.1.%'" }],
  },
  {
    name: 'a privilege for replication beside others',
    capture: {
      ...mysql(account('replica', '10.1.%')),
      ...global('replica@10.1.%', 'SELECT', 'REPLICATION SLAVE'),
    },
    expected: [
      { check: 'mysql.administrative_privileges', locator: "'replica'@'10.1.%'", severity: 'low' },
      { check: 'mysql.password_hashes_readable', locator: "'replica'@'10.1.%'" },
    ],
  },
  ...(
    [
      [
        { group_replication_group_name: 'aaaa', group_replication_ssl_mode: 'DISABLED' },
        'group_replication_ssl_mode',
      ],
      [{ group_replication_group_name: '', group_replication_ssl_mode: 'DISABLED' }, null],
      [{ group_replication_group_name: 'aaaa', group_replication_ssl_mode: 'REQUIRED' }, null],
      [
        { wsrep_on: 'ON', wsrep_provider_options: 'base_port = 4567; gcache.size = 128M' },
        'wsrep_provider_options',
      ],
      [{ wsrep_on: 'ON', wsrep_provider_options: 'socket.ssl = YES; socket.ssl_ca = /etc/ca.pem' }, null],
      [{ wsrep_on: 'OFF', wsrep_provider_options: '' }, null],
    ] as const
  ).map(([variables, locator]) => ({
    name: `a cluster: ${JSON.stringify(variables)}`,
    capture: mysqlWith(variables),
    expected: locator === null ? [] : [{ check: 'mysql.replication_plaintext', locator }],
  })),
  {
    name: 'a replica of a server that requires TLS',
    capture: { ...mysql(account('replica', '10.1.%')), ...global('replica@10.1.%', 'REPLICATION SLAVE') },
    expected: [],
  },
  {
    name: 'the first account of a service',
    capture: {
      ...mysqlWith({ basedir: '/rdsdbbin/mysql-8.4.6/' }, [
        account('admin', '%', { privileges: ['PROCESS', 'GRANT OPTION', 'CREATE USER'] }),
      ]),
      ...global('admin@%', 'SELECT', 'INSERT', 'ROLE_ADMIN', 'CONNECTION_ADMIN'),
    },
    expected: [],
  },
  {
    name: 'grants are not readable',
    capture: {
      ...mysql(),
      global_grants: notSeen('The account lacks SELECT on mysql.global_grants.'),
      object_grants: notSeen('The account lacks SELECT on mysql.db and mysql.tables_priv.'),
      proxy_grants: notSeen('The account lacks SELECT on mysql.proxies_priv.'),
    },
    expected: [],
    notAssessed: all,
  },
  {
    name: 'more grants than a scan reads',
    capture: {
      ...mysql(),
      proxy_grants: { assessed: true, value: { rows: [], truncated: true } },
    },
    expected: [],
    notAssessed: ['mysql.proxy_to_administrator'],
  },
  {
    name: 'roles are not readable',
    capture: { ...mysql(), role_grants: notSeen() },
    expected: [],
    notAssessed: all,
  },
  {
    name: 'settings could not be read',
    capture: { ...mysql(), variables: notSeen('The server took too long to answer.') },
    expected: [],
    notAssessed: all,
  },
];
