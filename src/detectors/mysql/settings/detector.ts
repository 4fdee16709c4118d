import type { MysqlCapture } from '../../../captures/mysql.ts';
import { type DetectionBuilder, detecting, quoted } from '../../detection.ts';
import type { Detector } from '../../detector.ts';
import { isLocal, usableAccounts } from '../account.ts';
import { isAtLeast, type MysqlProduct, productOf } from '../product.ts';
import { settingsChecks as checks } from './checks.ts';

type Variables = Readonly<Record<string, string>>;

/** What the server's settings allow and log. */
export const mysqlSettingsDetector: Detector<MysqlCapture> = {
  name: 'mysql.settings',
  surface: 'mysql',
  checks: Object.values(checks),
  detect: detecting((found, { variables, accounts }) => {
    if (!variables.assessed) return found.cannotAssess(Object.values(checks), variables.reason);
    const { value } = variables;
    const product = productOf(value);
    detectLocalFiles(found, value);
    detectServerFiles(found, value, product, accounts);
    detectLogRaw(found, value, product);
    detectSqlMode(found, value, product);
    detectPasswordValidation(found, value, product);
    detectAudit(found, value, product);
  }),
};

function detectLocalFiles(found: DetectionBuilder, { local_infile }: Variables): void {
  if (local_infile === undefined) {
    found.cannotAssess([checks.localInfile], 'The server does not report local_infile.');
  } else if (local_infile !== 'OFF') {
    found.observe(checks.localInfile, 'local_infile', 'local_infile is ON.');
  }
}

function detectServerFiles(
  found: DetectionBuilder,
  { secure_file_priv: directory }: Variables,
  product: MysqlProduct,
  accounts: MysqlCapture['accounts'],
) {
  if (directory === undefined)
    return found.cannotAssess([checks.secureFilePriv], 'The server does not report secure_file_priv.');
  // NULL forbids all file access in MySQL; in MariaDB it is the same as empty, which forbids none.
  const isOpen =
    directory === '' || directory === '/' || (directory === 'NULL' && product.family === 'mariadb');
  if (!isOpen) return;
  if (product.managedBy !== null)
    return found.doesNotApply(
      [checks.secureFilePriv],
      `${product.managedBy} grants FILE to no customer account.`,
    );
  const what = directory === '/' ? 'the root directory' : 'not set to a directory';
  const onlyLocal =
    accounts.assessed &&
    !accounts.value.truncated &&
    usableAccounts(accounts.value.accounts, product).every(
      account => isLocal(account) || !account.privileges.includes('FILE'),
    );
  // MariaDB's default: only accounts of the machine itself have FILE.
  found.observe(
    checks.secureFilePriv,
    'secure_file_priv',
    `secure_file_priv is ${what}${onlyLocal ? '; only accounts of the machine itself have FILE' : ''}.`,
    ...(onlyLocal ? (['low'] as const) : []),
  );
}

function detectLogRaw(found: DetectionBuilder, { log_raw }: Variables, { family }: MysqlProduct): void {
  // MariaDB has no such option: it always hides passwords.
  if (family === 'mariadb' || log_raw === 'OFF') return;
  if (log_raw === undefined) {
    found.cannotAssess([checks.logRaw], 'MySQL before 8.0.19 does not report whether log-raw is on.');
  } else {
    found.observe(checks.logRaw, 'log_raw', 'log_raw is ON.');
  }
}

function detectSqlMode(found: DetectionBuilder, { sql_mode }: Variables, { family, numbers }: MysqlProduct) {
  if (sql_mode === undefined)
    return found.cannotAssess([checks.sqlMode], 'The server does not report sql_mode.');
  const modes = new Set(sql_mode.toUpperCase().split(','));
  // The server reports TRADITIONAL together with the modes that it implies.
  if (!modes.has('STRICT_TRANS_TABLES') && !modes.has('STRICT_ALL_TABLES')) {
    found.observe(
      checks.sqlMode,
      'sql_mode STRICT_TRANS_TABLES',
      `sql_mode is ${quoted(sql_mode)}: not strict.`,
    );
  }
  const grantsMakeAccounts = family === 'mariadb' || !isAtLeast(numbers, 8);
  if (grantsMakeAccounts && !modes.has('NO_AUTO_CREATE_USER')) {
    found.observe(
      checks.sqlMode,
      'sql_mode NO_AUTO_CREATE_USER',
      'sql_mode lacks NO_AUTO_CREATE_USER: a GRANT to an unknown name creates an account without a password.',
    );
  }
}

function detectPasswordValidation(
  found: DetectionBuilder,
  variables: Variables,
  { managedBy }: MysqlProduct,
) {
  const validators = [
    'validate_password.policy',
    'validate_password_policy',
    'simple_password_check_minimal_length',
    'cracklib_password_check_dictionary',
  ];
  if (validators.some(name => variables[name] !== undefined)) return;
  if (managedBy === 'Google Cloud SQL')
    return found.cannotAssess(
      [checks.passwordValidation],
      'Google Cloud SQL keeps its password policy outside the server, where a scan cannot read it.',
    );
  found.observe(
    checks.passwordValidation,
    'server',
    'No component or plugin that checks passwords is loaded.',
  );
}

function detectAudit(found: DetectionBuilder, variables: Variables, { managedBy }: MysqlProduct) {
  const switches = ['server_audit_logging', 'audit_log_enabled', 'cloudsql_mysql_audit'];
  const others = ['audit_log_file', 'audit_log_policy', 'audit_log_filter.file'];
  const isOn = (value: string | undefined) => value !== undefined && !['OFF', '0', ''].includes(value);
  if (switches.some(name => isOn(variables[name]))) return;
  if (others.some(name => variables[name] !== undefined) && variables.audit_log_policy !== 'NONE') return;
  const switchedOff = switches.find(name => variables[name] !== undefined);
  if (switchedOff === undefined && managedBy === 'Google Cloud SQL')
    return found.cannotAssess(
      [checks.audit],
      'Google Cloud SQL also audits outside the server, where a scan cannot read it.',
    );
  found.observe(
    checks.audit,
    'server',
    switchedOff !== undefined
      ? `An audit plugin is loaded but does not log: ${switchedOff} is ${quoted(variables[switchedOff]!)}.`
      : 'No audit plugin is loaded.',
  );
}
