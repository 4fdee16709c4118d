import type { MysqlEvidence } from '../../../evidence/mysql.ts';
import type { GoldenCase } from '../../golden-case.ts';
import { mariadbWith, mysqlWith, notSeen } from '../hardened-evidence.ts';

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

export const cases: readonly GoldenCase<MysqlEvidence>[] = [
  { name: 'hardened MySQL', evidence: mysqlWith(), expected: [] },
  { name: 'hardened MariaDB', evidence: mariadbWith(), expected: [] },
  {
    name: 'local files of clients',
    evidence: mariadbWith({ local_infile: 'ON' }),
    expected: [{ check: 'mysql.local_infile', locator: 'local_infile' }],
  },
  {
    name: 'files anywhere',
    evidence: mysqlWith({ secure_file_priv: '' }),
    expected: [{ check: 'mysql.secure_file_priv', locator: 'secure_file_priv' }],
  },
  { name: 'MySQL without files', evidence: mysqlWith({ secure_file_priv: 'NULL' }), expected: [] },
  {
    name: 'MariaDB, to which NULL means anywhere',
    evidence: mariadbWith({ secure_file_priv: 'NULL' }),
    expected: ['mysql.secure_file_priv'],
  },
  {
    name: 'the root directory',
    evidence: mysqlWith({ secure_file_priv: '/' }),
    expected: ['mysql.secure_file_priv'],
  },
  {
    name: 'a service, which gives FILE to nobody',
    evidence: mysqlWith({ secure_file_priv: '', basedir: '/rdsdbbin/mysql-8.4.6/' }),
    expected: [],
    notAssessed: ['mysql.secure_file_priv'],
  },
  {
    name: 'passwords in logs',
    evidence: mysqlWith({ log_raw: 'ON' }),
    expected: [{ check: 'mysql.log_raw', locator: 'log_raw' }],
  },
  {
    name: 'MySQL 5.7, which does not show log_raw',
    evidence: mysqlWith({
      version: '5.7.44',
      log_raw: null,
      sql_mode: 'STRICT_TRANS_TABLES,NO_AUTO_CREATE_USER',
    }),
    expected: [],
    notAssessed: ['mysql.log_raw'],
  },
  {
    name: 'MySQL’s old leniency',
    evidence: mysqlWith({ sql_mode: 'NO_ENGINE_SUBSTITUTION' }),
    expected: [{ check: 'mysql.sql_mode_lenient', locator: 'sql_mode STRICT_TRANS_TABLES' }],
  },
  {
    name: 'MariaDB with an empty mode',
    evidence: mariadbWith({ sql_mode: '' }),
    expected: [
      { check: 'mysql.sql_mode_lenient', locator: 'sql_mode STRICT_TRANS_TABLES' },
      { check: 'mysql.sql_mode_lenient', locator: 'sql_mode NO_AUTO_CREATE_USER' },
    ],
  },
  { name: 'the stricter mode', evidence: mysqlWith({ sql_mode: 'STRICT_ALL_TABLES' }), expected: [] },
  {
    name: 'no check of passwords',
    evidence: mysqlWith(noValidation),
    expected: ['mysql.password_validation_missing'],
  },
  {
    name: 'other checks of passwords',
    evidence: mariadbWith({
      simple_password_check_minimal_length: null,
      cracklib_password_check_dictionary: '/usr/share/dict/words',
    }),
    expected: [],
  },
  {
    name: 'no audit',
    evidence: mysqlWith(noAudit),
    expected: [{ check: 'mysql.audit_missing', locator: 'server' }],
  },
  {
    name: 'an audit plugin that does not log',
    evidence: mariadbWith({ server_audit_logging: 'OFF' }),
    expected: ['mysql.audit_missing'],
  },
  {
    name: 'Percona’s audit with nothing to record',
    evidence: mysqlWith({ audit_log_policy: 'NONE' }),
    expected: ['mysql.audit_missing'],
  },
  {
    name: 'Percona’s component',
    evidence: mysqlWith({ ...noAudit, 'audit_log_filter.file': 'audit_filter.log' }),
    expected: [],
  },
  { name: 'Azure’s audit', evidence: mysqlWith({ ...noAudit, audit_log_enabled: 'ON' }), expected: [] },
  {
    name: 'Aurora’s audit',
    evidence: mysqlWith({ ...noAudit, aurora_version: '3.08.0', server_audit_logging: '1' }),
    expected: [],
  },
  {
    name: 'Cloud SQL, which has both elsewhere',
    evidence: mysqlWith({ ...google, ...noAudit, ...noValidation }),
    expected: [],
    notAssessed: ['mysql.password_validation_missing', 'mysql.audit_missing'],
  },
  {
    name: 'Cloud SQL with its audit turned off in so many words',
    evidence: mysqlWith({ ...google, ...noAudit, cloudsql_mysql_audit: 'OFF' }),
    expected: ['mysql.audit_missing'],
  },
  {
    name: 'settings that are not shown',
    evidence: mysqlWith({ local_infile: null, secure_file_priv: null, sql_mode: null }),
    expected: [],
    notAssessed: ['mysql.local_infile', 'mysql.secure_file_priv', 'mysql.sql_mode_lenient'],
  },
  {
    name: 'settings could not be read',
    evidence: { ...mysqlWith(), variables: notSeen('The server took too long to answer.') },
    expected: [],
    notAssessed: all,
  },
];
