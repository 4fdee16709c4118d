import { describe, expect, it } from 'vitest';
import { checksAboveLow } from '../../../test/support/above-low.ts';
import type { MysqlCapture } from '../../captures/mysql.ts';
import { detectorsFor } from '../catalogue.ts';
import {
  account,
  allPrivileges,
  mariadbAccounts,
  mariadbWith,
  mysqlAccounts,
  mysqlWith,
  plaintextUsers,
} from './hardened-capture.ts';

/**
 * Services give the customer an account with most privileges from any host, behind the service's firewall.
 */
const master = (name: string) =>
  account(name, '%', { privileges: ['PROCESS', 'GRANT OPTION', 'CREATE USER'] });
const shop = account('shop', '10.1.%');
const locked = { locked: true, log_ins: [{ plugin: 'caching_sha2_password', empty: true }] };
const noAudit = { audit_log_file: null, 'validate_password.policy': null };

const servers: readonly { name: string; capture: MysqlCapture; expected?: readonly string[] }[] = [
  {
    name: 'a default MariaDB of Debian: loopback only, root by socket, file access for root only',
    capture: mariadbWith({
      require_secure_transport: 'OFF',
      have_ssl: 'DISABLED',
      bind_address: '127.0.0.1',
      secure_file_priv: '',
      simple_password_check_minimal_length: null,
      server_audit_logging: null,
    }),
  },
  {
    name: 'Amazon RDS for MySQL',
    capture: {
      ...mysqlWith(
        {
          ...noAudit,
          basedir: '/rdsdbbin/mysql-8.4.6.R2/',
          version_comment: 'Source distribution',
          secure_file_priv: '/tmp/',
        },
        [
          account('rdsadmin', 'localhost', { privileges: allPrivileges }),
          account('rds_superuser_role', '%', {
            ...locked,
            privileges: ['PROCESS', 'GRANT OPTION', 'CREATE USER'],
          }),
          master('admin'),
          shop,
          ...mysqlAccounts.filter(({ user }) => user.startsWith('mysql.')),
        ],
      ),
      plaintext_users: plaintextUsers(['rdsadmin', 'rdsrepladmin']),
    },
  },
  {
    name: 'Amazon Aurora MySQL',
    capture: mysqlWith(
      {
        ...noAudit,
        aurora_version: '3.10.0',
        version: '8.0.42',
        basedir: '/rdsdbbin/oscar-8.0.mysql_aurora.3.10.0/',
        version_comment: 'Source distribution',
        server_audit_logging: 'OFF',
        secure_file_priv: '/tmp/',
      },
      [account('rdsadmin', 'localhost', { privileges: allPrivileges }), master('admin')],
    ),
    expected: ['mysql.version_end_of_life'],
  },
  {
    name: 'Google Cloud SQL for MySQL',
    capture: {
      ...mysqlWith(
        {
          ...noAudit,
          version: '8.4.6-google',
          version_comment: '(Google)',
          require_secure_transport: 'OFF',
          secure_file_priv: '',
        },
        [
          account('cloudsqladmin', 'localhost', { privileges: allPrivileges }),
          account('cloudsqlreplica', '%', { privileges: ['SUPER'] }),
          account('root', '%', { privileges: ['PROCESS', 'SHUTDOWN', 'GRANT OPTION', 'CREATE USER'] }),
          shop,
        ],
      ),
      plaintext_users: plaintextUsers(['cloudsqladmin']),
    },
  },
  {
    name: 'Azure Database for MySQL',
    capture: mysqlWith(
      { ...noAudit, version: '8.4.6-azure', audit_log_enabled: 'OFF', secure_file_priv: '' },
      [account('azure_superuser', '127.0.0.1', { privileges: allPrivileges }), master('clinicadmin')],
    ),
  },
  {
    name: 'the default MariaDB container: root from any host, over a network without TLS',
    capture: mariadbWith(
      {
        version: '11.8.6-MariaDB-ubu2404',
        version_comment: 'mariadb.org binary distribution',
        require_secure_transport: 'OFF',
        bind_address: '*',
        secure_file_priv: '',
        local_infile: 'ON',
      },
      [...mariadbAccounts, account('root', '%', { privileges: allPrivileges })],
    ),
    expected: ['local_infile', 'plaintext_allowed', 'privileged_from_anywhere', 'secure_file_priv'].map(
      id => `mysql.${id}`,
    ),
  },
];

describe('typical real servers', () => {
  it.each(servers)('$name', ({ capture, expected = [] }) => {
    expect(checksAboveLow(detectorsFor('mysql'), capture)).toEqual(expected);
  });
});
