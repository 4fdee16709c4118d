import { targetLimits } from '../../../captures/limits.ts';
import type { MysqlAccount, MysqlCapture } from '../../../captures/mysql.ts';
import { type DetectionBuilder, detecting, quoted } from '../../detection.ts';
import type { Detector } from '../../detector.ts';
import { byReach, type Reach } from '../../reach.ts';
import {
  hasEmptyPassword,
  isAdministrator,
  isFromAnywhere,
  isLocal,
  nameOf,
  usableAccounts,
} from '../account.ts';
import { listensTo, reachOf } from '../exposure.ts';
import { isAtLeast, type MysqlProduct, productOf } from '../product.ts';
import { withRolePrivileges } from '../role-privileges.ts';
import { accountsChecks as checks } from './checks.ts';

/** Accounts: hosts, authentication and global privileges. */
export const mysqlAccountsDetector: Detector<MysqlCapture> = {
  name: 'mysql.accounts',
  surface: 'mysql',
  checks: Object.values(checks),
  detect: detecting((found, capture) => {
    const { accounts, variables, role_grants, over } = capture;
    const all = Object.values(checks);
    if (!accounts.assessed || !variables.assessed)
      return found.cannotAssess(
        all,
        !accounts.assessed ? accounts.reason : !variables.assessed ? variables.reason : '',
      );
    const product = productOf(variables.value);
    const { grants, truncated } = role_grants.assessed ? role_grants.value : { grants: [], truncated: false };
    const effective = withRolePrivileges(accounts.value.accounts, grants, variables.value.mandatory_roles);
    const usable = usableAccounts(effective, product);
    const listens = listensTo(variables.value, over);
    const reach = reachOf(capture);
    for (const account of usable) detectLogIn(found, account, product, reach);
    const unread = usable.filter(({ unread_log_ins }) => unread_log_ins > 0);
    if (unread.length > 0) {
      const names = quoted(unread.map(nameOf).join(', '), 200);
      found.cannotAssess(
        [checks.emptyPassword, checks.oldPlugin],
        `Not all ways to sign in were read of ${names}: a scan reads ${targetLimits.logIns} of each account.`,
      );
    }
    detectAnywhere(found, usable, product, listens);
    detectOldDefault(found, usable, product);
    detectPrivileges(found, usable);
    const ofPrivileges = [checks.privilegedFromAnywhere, checks.globalPrivileges];
    if (!role_grants.assessed) {
      found.cannotAssess(ofPrivileges, `Privileges from roles are unknown. ${role_grants.reason}`);
    } else if (truncated) {
      found.cannotAssess(ofPrivileges, 'There are more role grants than a scan reads.');
    }
    if (accounts.value.truncated) {
      found.cannotAssess(
        all,
        'The server has more accounts than a scan reads; the others were not assessed.',
      );
    }
  }),
};

function detectLogIn(
  found: DetectionBuilder,
  account: MysqlAccount,
  product: MysqlProduct,
  reach: Reach,
): void {
  const name = nameOf(account);
  if (account.user === '') {
    const flaw = { seen: `The account ${name} has no name and is not locked.` };
    const { seen, severity } = byReach(checks.anonymous, reach, flaw, 'medium');
    found.observe(checks.anonymous, name, seen, severity);
  }
  if (hasEmptyPassword(account)) {
    const seen = `The account ${name} has no password and is not locked`;
    // Only people and programs on the machine itself can use it.
    if (isLocal(account))
      found.observe(
        checks.emptyPassword,
        name,
        `${seen}; it can sign in only from the server’s own machine.`,
        'high',
      );
    else {
      const flaw = byReach(checks.emptyPassword, reach, { seen: `${seen}.` }, 'high');
      found.observe(checks.emptyPassword, name, flaw.seen, flaw.severity);
    }
  }
  const plugins = new Set(account.log_ins.map(({ plugin }) => plugin.toLowerCase()));
  if (plugins.has('mysql_old_password')) {
    found.observe(
      checks.oldPlugin,
      name,
      `The account ${name} uses mysql_old_password, whose hash can be used as is or cracked in seconds.`,
      'high',
    );
  } else if (
    plugins.has('mysql_native_password') &&
    product.family === 'mysql' &&
    isAtLeast(product.numbers, 8)
  ) {
    found.observe(
      checks.oldPlugin,
      name,
      `The account ${name} uses mysql_native_password, an unsalted SHA-1.`,
    );
  }
}

/** With any of these, an account can take over or stop the server. */
const takeOver = new Set(['SUPER', 'FILE', 'SHUTDOWN', 'GRANT OPTION', 'CREATE USER']);

function detectAnywhere(
  found: DetectionBuilder,
  accounts: readonly MysqlAccount[],
  { managedBy }: MysqlProduct,
  listens: Reach,
): void {
  if (listens === 'none') return;
  for (const account of accounts) {
    const powers = account.privileges.filter(privilege => takeOver.has(privilege));
    if (!isFromAnywhere(account) || powers.length === 0) continue;
    const name = nameOf(account);
    const seen = `The account ${name} can sign in from any host and has ${powers.join(', ')} on *.*.`;
    // Services create their first account like this, behind their own firewall.
    if (managedBy === null && listens === 'loopback') {
      const latent = `${seen} For now the server listens on loopback only.`;
      found.observe(checks.privilegedFromAnywhere, name, latent, 'low');
    } else if (managedBy === null) {
      found.observe(checks.privilegedFromAnywhere, name, seen);
    } else {
      const service = `${seen} ${managedBy} may create its first account like this, so only its network rules limit access.`;
      found.observe(checks.privilegedFromAnywhere, name, service, 'low');
    }
  }
}

/**
 * MySQL 8 replaced this plugin, but it is still MariaDB's default: reported once, not for each account. Local
 * accounts have it beside unix_socket, with an unusable hash.
 */
function detectOldDefault(
  found: DetectionBuilder,
  accounts: readonly MysqlAccount[],
  { family }: MysqlProduct,
): void {
  const isNative = ({ plugin }: MysqlAccount['log_ins'][number]) => plugin === 'mysql_native_password';
  const some = accounts.some(account => !isLocal(account) && account.log_ins.some(isNative));
  if (family !== 'mariadb' || !some) return;
  found.observe(
    checks.oldPlugin,
    'mysql_native_password',
    'Accounts for remote hosts use mysql_native_password, MariaDB’s default, which stores an unsalted SHA-1 hash; ed25519 is stronger.',
    'info',
  );
}

/** Monitoring and backups need PROCESS: up to this many accounts with it are usual. */
const usualProcessHolders = 3;

function detectPrivileges(found: DetectionBuilder, accounts: readonly MysqlAccount[]): void {
  const others = accounts.filter(account => !isAdministrator(account));
  const powersOf = ({ privileges }: MysqlAccount) =>
    privileges.filter(privilege => privilege === 'SUPER' || privilege === 'FILE');
  const holders = others.filter(account => powersOf(account).length > 0);
  // If root was renamed, the only account with SUPER is the administrator.
  const hasRoot = accounts.some(account => isAdministrator(account) && account.privileges.includes('SUPER'));
  const heads = holders.filter(({ privileges }) => privileges.includes('SUPER'));
  const renamedRoot = !hasRoot && heads.length === 1 ? heads[0] : undefined;
  for (const account of holders) {
    if (account === renamedRoot) continue;
    const name = nameOf(account);
    const powers = powersOf(account).join(' and ');
    found.observe(checks.globalPrivileges, name, `The account ${name} has ${powers}.`);
  }
  const watchers = others.filter(
    account => powersOf(account).length === 0 && account.privileges.includes('PROCESS'),
  );
  if (watchers.length > usualProcessHolders) {
    found.observe(
      checks.globalPrivileges,
      'PROCESS',
      `${watchers.length} accounts besides administrators have PROCESS.`,
      'low',
    );
  }
}
