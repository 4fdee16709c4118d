import { type MysqlQuery, maxRows } from './query.ts';

/** Global privileges that are granted by name in MySQL: https://dev.mysql.com/doc/refman/8.4/en/privileges-provided.html */
const dynamic = [
  ...['SET_USER_ID', 'SET_ANY_DEFINER', 'ALLOW_NONEXISTENT_DEFINER', 'SYSTEM_VARIABLES_ADMIN'],
  ...['PERSIST_RO_VARIABLES_ADMIN', 'SYSTEM_USER', 'ROLE_ADMIN', 'PASSWORDLESS_USER_ADMIN'],
  ...['AUTHENTICATION_POLICY_ADMIN', 'BINLOG_ADMIN', 'CONNECTION_ADMIN', 'AUDIT_ADMIN', 'AUDIT_ABORT_EXEMPT'],
  ...['FIREWALL_ADMIN', 'FIREWALL_EXEMPT', 'CLONE_ADMIN', 'ENCRYPTION_KEY_ADMIN', 'REPLICATION_SLAVE_ADMIN'],
  ...['GROUP_REPLICATION_ADMIN', 'REPLICATION_APPLIER', 'SERVICE_CONNECTION_ADMIN'],
];

/** The column of MySQL's table and the bit in MariaDB's, which `sql/privilege.h` of its source lists. */
const globals = [
  ['SELECT', 'Select_priv', 0n],
  ['INSERT', 'Insert_priv', 1n],
  ['UPDATE', 'Update_priv', 2n],
  ['DELETE', 'Delete_priv', 3n],
  ['REPLICATION SLAVE', 'Repl_slave_priv', 19n],
] as const;

/** Privileges that only MariaDB has: their names in a grant. */
const ofMariadb = [
  ['SET USER', 30n],
  ['FEDERATED ADMIN', 31n],
  ['CONNECTION ADMIN', 32n],
  ['READ_ONLY ADMIN', 33n],
  ['REPLICATION SLAVE ADMIN', 34n],
  ['REPLICATION MASTER ADMIN', 35n],
  ['BINLOG ADMIN', 36n],
  ['BINLOG REPLAY', 37n],
] as const;

const bits = [...globals.map(([name, , bit]) => [name, bit] as const), ...ofMariadb];
const all = bits.reduce((sum, [, bit]) => sum + (1n << bit), 0n);

/** In the order of MySQL's own table. */
const ofDatabase = ['Select', 'Insert', 'Update', 'Delete', 'Create', 'Drop', 'Alter'];

const objectGrants = `select user as user, host as host, db as db, '' as tbl,
  if('mysql' like db, 'Y', 'N') as is_system,
  concat_ws(',', ${ofDatabase.map(name => `if(${name}_priv = 'Y', '${name.toUpperCase()}', null)`).join(',\n    ')},
    if(Grant_priv = 'Y', 'GRANT OPTION', null)) as privileges
from mysql.db where 'mysql' like db or db like 'test%' or user in ('', 'PUBLIC') or Grant_priv = 'Y'
union all
select user, host, db, table_name, 'Y', upper(table_priv) from mysql.tables_priv where db = 'mysql' and table_priv <> ''
order by user, host, db, tbl limit ${maxRows + 1}`;

const proxyGrants = `select user as user, host as host, proxied_user as proxied_user, proxied_host as proxied_host
from mysql.proxies_priv order by user, host, proxied_user, proxied_host limit ${maxRows + 1}`;

/** Who has which further privileges. Each is a separate query, because each needs a separate privilege. */
export const grantQueries: readonly MysqlQuery[] = [
  {
    name: 'global grants',
    reads: 'Accounts and roles with global privileges on all data, on replication and for administration.',
    privilege: {
      mysql: 'SELECT on mysql.global_grants and on these columns of mysql.user',
      mariadb: 'SELECT on mysql.global_priv',
    },
    sql: {
      mysql: `select user as user, host as host, concat_ws(',', ${globals.map(([name, column]) => `if(${column} = 'Y', '${name}', null)`).join(',\n    ')}) as privileges
from mysql.user where 'Y' in (${globals.map(([, column]) => column).join(', ')})
union all
select user, host, priv from mysql.global_grants where priv in (${dynamic.map(name => `'${name}'`).join(', ')})
order by user, host, privileges limit ${maxRows + 1}`,
      mariadb: `select user as user, host as host, concat_ws(',', ${bits.map(([name, bit]) => `if(access & ${1n << bit}, '${name}', null)`).join(',\n    ')}) as privileges
from (
  select user, host, cast(json_value(priv, '$.access') as unsigned) as access from mysql.global_priv
) as account where access & ${all} order by user, host limit ${maxRows + 1}`,
    },
  },
  {
    name: 'object grants',
    reads:
      'Privileges on the schema mysql, on databases for tests and for everyone, and those that can be granted on.',
    privilege: {
      mysql: 'SELECT on mysql.db and mysql.tables_priv',
      mariadb: 'SELECT on mysql.db and mysql.tables_priv',
    },
    sql: { mysql: objectGrants, mariadb: objectGrants },
  },
  {
    name: 'proxy grants',
    reads: 'Accounts that may act as others (PROXY).',
    privilege: { mysql: 'SELECT on mysql.proxies_priv', mariadb: 'SELECT on mysql.proxies_priv' },
    sql: { mysql: proxyGrants, mariadb: proxyGrants },
  },
];
