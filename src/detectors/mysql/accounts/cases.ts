import type { MysqlAccount, MysqlCapture } from '../../../captures/mysql.ts';
import type { GoldenCase } from '../../golden-case.ts';
import {
  account,
  allPrivileges,
  mariadbAccounts,
  mariadbWith,
  mysqlAccounts,
  mysqlWith,
  notSeen,
  roleGrants,
  seen,
} from '../hardened-capture.ts';

const all = [
  'mysql.password_empty',
  'mysql.anonymous_account',
  'mysql.privileged_from_anywhere',
  'mysql.authentication_plugin_old',
  'mysql.global_privileges',
];
const mysql = (...more: MysqlAccount[]) => mysqlWith({}, [...mysqlAccounts, ...more]);
const mariadb = (...more: MysqlAccount[]) => mariadbWith({}, [...mariadbAccounts, ...more]);
const by = (plugin: string, empty = false) => ({ log_ins: [{ plugin, empty }] });
const withProcess = (user: string) => account(user, '10.1.%', { privileges: ['PROCESS'] });

/** The first account of Amazon RDS for MySQL 8. */
const rdsMaster = account('admin', '%', { privileges: ['PROCESS', 'GRANT OPTION', 'CREATE USER'] });

export const cases: readonly GoldenCase<MysqlCapture>[] = [
  { name: 'hardened MySQL', capture: mysqlWith(), expected: [] },
  { name: 'hardened MariaDB', capture: mariadbWith(), expected: [] },
  {
    name: 'an empty password',
    capture: mysql(account('old', '10.1.%', by('caching_sha2_password', true))),
    expected: [{ check: 'mysql.password_empty', locator: "'old'@'10.1.%'" }],
  },
  {
    name: 'MariaDB’s unix_socket or an empty password: either is enough',
    capture: mariadb(
      account('dba', 'localhost', {
        log_ins: [
          { plugin: 'unix_socket', empty: true },
          { plugin: 'mysql_native_password', empty: true },
        ],
      }),
    ),
    expected: ['mysql.password_empty'],
  },
  {
    name: 'plugins that need no stored password',
    capture: mysql(
      account('a', 'localhost', by('auth_socket', true)),
      account('b', '10.1.%', by('AWSAuthenticationPlugin', true)),
      account('c', '10.1.%', by('authentication_ldap_sasl', true)),
      account('d', '10.1.%', by('mysql_no_login', true)),
      account('e', '10.1.%', by('pam', true)),
    ),
    expected: [],
  },
  {
    name: 'locked accounts',
    capture: mysql(
      account('', 'localhost', { locked: true, ...by('mysql_native_password', true) }),
      account('gone', '%', { locked: true, ...by('mysql_old_password', true), privileges: allPrivileges }),
    ),
    expected: [],
  },
  {
    name: 'the anonymous account of old installations',
    capture: mariadb(account('', 'localhost', by('mysql_native_password', true))),
    expected: [
      { check: 'mysql.anonymous_account', locator: "''@'localhost'" },
      { check: 'mysql.password_empty', locator: "''@'localhost'" },
    ],
  },
  {
    name: 'names that differ only in non-ASCII characters',
    capture: mysql(
      account('é', '10.1.%', by('sha256_password', true)),
      account('è', '10.1.%', by('sha256_password', true)),
      account("o'hara", '10.1.%', by('sha256_password', true)),
    ),
    expected: [
      { check: 'mysql.password_empty', locator: "'\\u{e9}'@'10.1.%'" },
      { check: 'mysql.password_empty', locator: "'\\u{e8}'@'10.1.%'" },
      { check: 'mysql.password_empty', locator: "'o''hara'@'10.1.%'" },
    ],
  },
  {
    name: 'an anonymous account with a password',
    capture: mysql(account('', '10.1.%')),
    expected: ['mysql.anonymous_account'],
  },
  {
    name: 'root of the official container image',
    capture: mysql(account('root', '%', { privileges: allPrivileges })),
    expected: [{ check: 'mysql.privileged_from_anywhere', locator: "'root'@'%'" }],
  },
  {
    name: 'other spellings of any host',
    capture: mysql(
      account('root', '', { privileges: allPrivileges }),
      account('root', '%.%.%.%', { privileges: allPrivileges }),
      account('root', '0.0.0.0/0.0.0.0', { privileges: allPrivileges }),
      account('root', '10.0.0.0/255.0.0.0', { privileges: allPrivileges }),
    ),
    expected: Array(3).fill('mysql.privileged_from_anywhere'),
  },
  {
    name: 'an application’s account from anywhere, without global privileges',
    capture: mysql(account('shop2', '%'), account('exporter', '%', { privileges: ['PROCESS'] })),
    expected: [],
  },
  {
    name: 'an empty password and no name on a server that listens on loopback only',
    capture: mysqlWith({ bind_address: 'localhost' }, [
      account('app', '%', by('caching_sha2_password', true)),
      account('', '10.1.%'),
    ]),
    expected: [
      { check: 'mysql.password_empty', locator: "'app'@'%'", severity: 'high' },
      { check: 'mysql.anonymous_account', locator: "''@'10.1.%'", severity: 'medium' },
    ],
  },
  {
    name: 'an empty password and no name on a server that listens on its socket only',
    capture: mysqlWith({ skip_networking: 'ON' }, [account('', '%', by('caching_sha2_password', true))]),
    expected: [
      { check: 'mysql.password_empty', locator: "''@'%'", severity: 'high' },
      { check: 'mysql.anonymous_account', locator: "''@'%'", severity: 'medium' },
    ],
  },
  {
    name: 'a privileged account from anywhere on a server that listens on loopback only',
    capture: mysqlWith({ bind_address: '127.0.0.1' }, [account('root', '%', { privileges: allPrivileges })]),
    expected: [{ check: 'mysql.privileged_from_anywhere', locator: "'root'@'%'", severity: 'low' }],
  },
  {
    name: 'Amazon RDS with its own accounts and the master account',
    capture: mysqlWith(
      { version: '8.0.42', version_comment: 'Source distribution', basedir: '/rdsdbbin/mysql-8.0.42.R1/' },
      [
        rdsMaster,
        account('rdsadmin', 'localhost', { privileges: allPrivileges, ...by('mysql_native_password') }),
      ],
    ),
    expected: ['mysql.privileged_from_anywhere'],
  },
  {
    name: 'an account with a name of the service’s, open to any host',
    capture: mysqlWith({ basedir: '/rdsdbbin/mysql-8.4.3/' }, [
      ...mysqlAccounts,
      account('rdstopmgr', '%', by('caching_sha2_password', true)),
    ]),
    expected: ['mysql.password_empty'],
  },
  {
    name: 'an account for replicas of the service’s without a password',
    capture: mysqlWith({ basedir: '/rdsdbbin/mysql-8.4.3/' }, [
      ...mysqlAccounts,
      account('rdsrepladmin', '%', by('caching_sha2_password', true)),
    ]),
    expected: ['mysql.password_empty'],
  },
  {
    name: 'an unlocked account with a name of the server’s own',
    capture: mysql(account('mysql.sys', '10.1.%', by('caching_sha2_password', true))),
    expected: [{ check: 'mysql.password_empty', locator: "'mysql.sys'@'10.1.%'" }],
  },
  {
    name: 'more ways to sign in than were read',
    capture: mariadb(
      account('many', '10.1.%', { log_ins: [{ plugin: 'ed25519', empty: false }], unread_log_ins: 1 }),
    ),
    expected: [],
    notAssessed: ['mysql.password_empty', 'mysql.authentication_plugin_old'],
  },
  {
    name: 'an rdsadmin account outside Amazon RDS',
    capture: mysql(account('rdsadmin', '10.1.%', { privileges: allPrivileges })),
    expected: ['mysql.global_privileges'],
  },
  {
    name: 'Google Cloud SQL’s own accounts',
    capture: mysqlWith({ version: '8.0.31-google', version_comment: '(Google)' }, [
      account('cloudsqlimport', 'localhost', by('mysql_native_password', true)),
      account('cloudsqlreplica', '%', { privileges: ['SUPER'], ...by('mysql_native_password') }),
    ]),
    expected: [],
  },
  {
    name: 'accounts like those of Google Cloud SQL, which customers made',
    capture: mysqlWith({ version: '8.0.31-google', version_comment: '(Google)' }, [
      account('cloudsqlimport', '%', { privileges: allPrivileges }),
      account('cloudsqlcrm', '10.1.%', by('mysql_native_password')),
    ]),
    expected: [
      { check: 'mysql.privileged_from_anywhere', locator: "'cloudsqlimport'@'%'" },
      { check: 'mysql.authentication_plugin_old', locator: "'cloudsqlcrm'@'10.1.%'" },
    ],
  },
  {
    name: 'mysql_native_password on MySQL 8',
    capture: mysql(account('crm', '10.1.%', by('mysql_native_password'))),
    expected: [{ check: 'mysql.authentication_plugin_old', locator: "'crm'@'10.1.%'" }],
  },
  {
    name: 'mysql_native_password on MySQL 5.7, which has few alternatives',
    capture: mysqlWith({ version: '5.7.44' }, [account('crm', '10.1.%', by('mysql_native_password'))]),
    expected: [],
  },
  {
    name: 'mysql_native_password as MariaDB’s default: reported once',
    capture: mariadb(
      account('crm', '10.1.%', by('mysql_native_password')),
      account('erp', '10.1.%', by('mysql_native_password')),
    ),
    expected: [{ check: 'mysql.authentication_plugin_old', locator: 'mysql_native_password' }],
  },
  {
    name: 'hashes from before 2004',
    capture: mariadb(account('legacy', '10.1.%', by('mysql_old_password'))),
    expected: [{ check: 'mysql.authentication_plugin_old', locator: "'legacy'@'10.1.%'" }],
  },
  {
    name: 'an application with SUPER, another with FILE',
    capture: mysql(
      account('crm', '10.1.%', { privileges: ['SUPER', 'PROCESS'] }),
      account('erp', '10.1.%', { privileges: ['FILE'] }),
    ),
    expected: [
      { check: 'mysql.global_privileges', locator: "'crm'@'10.1.%'" },
      { check: 'mysql.global_privileges', locator: "'erp'@'10.1.%'" },
    ],
  },
  {
    name: 'privileges from a nested role in MySQL',
    capture: {
      ...mysql(
        account('dba', '%', { locked: true, privileges: allPrivileges }),
        account('team', '%', { locked: true }),
        account('app', '%'),
      ),
      role_grants: roleGrants(
        'dba@% > team@%',
        'team@% > app@%',
        'readers@% > shop@10.1.%',
        'team@% > dba@%',
      ),
    },
    expected: [
      { check: 'mysql.global_privileges', locator: "'app'@'%'" },
      { check: 'mysql.privileged_from_anywhere', locator: "'app'@'%'" },
    ],
  },
  {
    name: 'privileges from a role in MariaDB',
    capture: {
      ...mariadb(
        account('dba', '', { is_role: true, log_ins: [], privileges: ['FILE'] }),
        account('app', '10.1.%'),
      ),
      role_grants: roleGrants('dba@ > app@10.1.%'),
    },
    expected: [{ check: 'mysql.global_privileges', locator: "'app'@'10.1.%'" }],
  },
  {
    name: 'a mandatory role',
    capture: mysqlWith({ mandatory_roles: "`readers`@'%',ops" }, [
      ...mysqlAccounts,
      account('ops', '%', { locked: true, privileges: ['FILE'] }),
    ]),
    expected: [{ check: 'mysql.global_privileges', locator: "'shop'@'10.1.%'" }],
  },
  {
    name: 'MariaDB’s role PUBLIC',
    capture: mariadbWith({}, [
      ...mariadbAccounts.filter(({ user }) => user !== 'PUBLIC'),
      account('PUBLIC', '', { is_role: true, log_ins: [], privileges: ['FILE'] }),
    ]),
    expected: [{ check: 'mysql.global_privileges', locator: "'shop'@'10.1.%'" }],
  },
  {
    name: 'roles are not readable',
    capture: { ...mysql(), role_grants: notSeen() },
    expected: [],
    notAssessed: ['mysql.privileged_from_anywhere', 'mysql.global_privileges'],
  },
  {
    name: 'a root with another name',
    capture: mysqlWith({}, [account('captain', 'localhost', { privileges: allPrivileges })]),
    expected: [],
  },
  {
    name: 'two administrators instead of root',
    capture: mysqlWith({}, [
      account('captain', 'localhost', { privileges: allPrivileges }),
      account('mate', 'localhost', { privileges: allPrivileges }),
    ]),
    expected: Array(2).fill('mysql.global_privileges'),
  },
  {
    name: 'Debian’s maintenance account, a monitor and a backup',
    capture: mariadb(
      account('debian-sys-maint', 'localhost', { privileges: allPrivileges }),
      withProcess('exporter'),
      withProcess('backup'),
    ),
    expected: [],
  },
  {
    name: 'PROCESS for every account',
    capture: mysql(...['a', 'b', 'c', 'd'].map(withProcess)),
    expected: [{ check: 'mysql.global_privileges', locator: 'PROCESS' }],
  },
  ...(
    [
      ['on loopback', {}, 'loopback', 'high'],
      ['open X Plugin', { mysqlx_bind_address: '*' }, 'loopback', 'critical'],
      ['open admin address', { admin_address: '10.0.0.5' }, 'loopback', 'critical'],
      ['all on loopback', { mysqlx_bind_address: '::1', admin_address: '' }, 'loopback', 'high'],
      ['forwarded to', {}, 'network', 'critical'],
      ['managed', { basedir: '/rdsdbbin/mysql-8.4.3/' }, 'loopback', 'critical'],
    ] as const
  ).map(([name, settings, over, severity]) => ({
    name: `no password, ${name}`,
    capture: {
      ...mysqlWith({ bind_address: '127.0.0.1', ...settings }, [
        account('app', '10.1.%', { log_ins: [{ plugin: 'caching_sha2_password', empty: true }] }),
      ]),
      over,
    },
    expected: [{ check: 'mysql.password_empty', locator: "'app'@'10.1.%'", severity }],
  })),
  {
    name: 'accounts are not readable',
    capture: { ...mysqlWith(), accounts: notSeen() },
    expected: [],
    notAssessed: all,
  },
  {
    name: 'settings could not be read',
    capture: { ...mysqlWith(), variables: notSeen('The server took too long to answer.') },
    expected: [],
    notAssessed: all,
  },
  {
    name: 'more accounts than the scan reads',
    capture: {
      ...mysqlWith(),
      accounts: seen({ accounts: [account('', '10.1.%')], truncated: true }),
    },
    expected: ['mysql.anonymous_account'],
    notAssessed: all,
  },
];
