import type { MysqlCapture } from '../../../captures/mysql.ts';
import type { GoldenCase } from '../../golden-case.ts';
import { mariadbWith, mysqlWith, notSeen } from '../hardened-capture.ts';

const all = [
  'mysql.local_infile',
  'mysql.secure_file_priv',
  'mysql.log_raw',
  'mysql.sql_mode_lenient',
  'mysql.password_validation_missing',
  'mysql.audit_missing',
];
const noAudit = { audit_log_file: null };
const noValidation = { 'validate_password.policy': null };
const google = { version: '8.0.31-google', version_comment: '(Google)' };

export const cases: readonly GoldenCase<MysqlCapture>[] = [
  { name: 'hardened MySQL', capture: mysqlWith(), expected: [] },
  { name: 'hardened MariaDB', capture: mariadbWith(), expected: [] },
  {
    name: 'LOAD DATA LOCAL',
    capture: mariadbWith({ local_infile: 'ON' }),
    expected: [{ check: 'mysql.local_infile', locator: 'local_infile' }],
  },
  {
    name: 'file access everywhere',
    capture: mysqlWith({ secure_file_priv: '' }),
    expected: [{ check: 'mysql.secure_file_priv', locator: 'secure_file_priv' }],
  },
  { name: 'MySQL without file access', capture: mysqlWith({ secure_file_priv: 'NULL' }), expected: [] },
  {
    name: 'MariaDB, where NULL means everywhere',
    capture: mariadbWith({ secure_file_priv: 'NULL' }),
    expected: ['mysql.secure_file_priv'],
  },
  {
    name: 'the root directory',
    capture: mysqlWith({ secure_file_priv: '/' }),
    expected: ['mysql.secure_file_priv'],
  },
  {
    name: 'a service, which never grants FILE',
    capture: mysqlWith({ secure_file_priv: '', basedir: '/rdsdbbin/mysql-8.4.6/' }),
    expected: [],
    notAssessed: ['mysql.secure_file_priv'],
  },
  {
    name: 'passwords in logs',
    capture: mysqlWith({ log_raw: 'ON' }),
    expected: [{ check: 'mysql.log_raw', locator: 'log_raw' }],
  },
  {
    name: 'MySQL 5.7, which does not show log_raw',
    capture: mysqlWith({
      version: '5.7.44',
      log_raw: null,
      sql_mode: 'STRICT_TRANS_TABLES,NO_AUTO_CREATE_USER',
    }),
    expected: [],
    notAssessed: ['mysql.log_raw'],
  },
  {
    name: 'MySQL without strict mode',
    capture: mysqlWith({ sql_mode: 'NO_ENGINE_SUBSTITUTION' }),
    expected: [{ check: 'mysql.sql_mode_lenient', locator: 'sql_mode STRICT_TRANS_TABLES' }],
  },
  {
    name: 'MariaDB with an empty mode',
    capture: mariadbWith({ sql_mode: '' }),
    expected: [
      { check: 'mysql.sql_mode_lenient', locator: 'sql_mode STRICT_TRANS_TABLES' },
      { check: 'mysql.sql_mode_lenient', locator: 'sql_mode NO_AUTO_CREATE_USER' },
    ],
  },
  { name: 'the stricter mode', capture: mysqlWith({ sql_mode: 'STRICT_ALL_TABLES' }), expected: [] },
  {
    name: 'no password validation',
    capture: mysqlWith(noValidation),
    expected: ['mysql.password_validation_missing'],
  },
  {
    name: 'other password validation',
    capture: mariadbWith({
      simple_password_check_minimal_length: null,
      cracklib_password_check_dictionary: '/usr/share/dict/words',
    }),
    expected: [],
  },
  {
    name: 'no audit',
    capture: mysqlWith(noAudit),
    expected: [{ check: 'mysql.audit_missing', locator: 'server' }],
  },
  {
    name: 'an audit plugin that does not log',
    capture: mariadbWith({ server_audit_logging: 'OFF' }),
    expected: ['mysql.audit_missing'],
  },
  {
    name: 'Percona’s audit without anything to record',
    capture: mysqlWith({ audit_log_policy: 'NONE' }),
    expected: ['mysql.audit_missing'],
  },
  {
    name: 'Percona’s component',
    capture: mysqlWith({ ...noAudit, 'audit_log_filter.file': 'audit_filter.log' }),
    expected: [],
  },
  { name: 'Azure’s audit', capture: mysqlWith({ ...noAudit, audit_log_enabled: 'ON' }), expected: [] },
  {
    name: 'Aurora’s audit',
    capture: mysqlWith({ ...noAudit, aurora_version: '3.08.0', server_audit_logging: '1' }),
    expected: [],
  },
  {
    name: 'Cloud SQL, which validates and audits outside the server',
    capture: mysqlWith({ ...google, ...noAudit, ...noValidation }),
    expected: [],
    notAssessed: ['mysql.password_validation_missing', 'mysql.audit_missing'],
  },
  {
    name: 'Cloud SQL with its audit explicitly turned off',
    capture: mysqlWith({ ...google, ...noAudit, cloudsql_mysql_audit: 'OFF' }),
    expected: ['mysql.audit_missing'],
  },
  {
    name: 'settings that the server does not report',
    capture: mysqlWith({ local_infile: null, secure_file_priv: null, sql_mode: null }),
    expected: [],
    notAssessed: ['mysql.local_infile', 'mysql.secure_file_priv', 'mysql.sql_mode_lenient'],
  },
  {
    name: 'settings could not be read',
    capture: { ...mysqlWith(), variables: notSeen('The server took too long to answer.') },
    expected: [],
    notAssessed: all,
  },
];
