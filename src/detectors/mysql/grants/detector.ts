import type { Assessment } from '../../../captures/assessment.ts';
import type { MysqlCapture, MysqlList, MysqlName, MysqlObjectGrant } from '../../../captures/mysql.ts';
import { type DetectionBuilder, detecting, quoted } from '../../detection.ts';
import type { Check, Detector } from '../../detector.ts';
import { withoutSecrets } from '../../mask-secrets.ts';
import { printableRest, withEscapesEscaped } from '../../printable.ts';
import { isAdministrator, isFromAnywhere, isLocal } from '../account.ts';
import { listensTo } from '../exposure.ts';
import { productOf } from '../product.ts';
import { grantsChecks as checks } from './checks.ts';
import { everyone, type Holder, holdersIn, shown } from './holders.ts';

/** What is granted besides the classic global privileges. */
export const mysqlGrantsDetector: Detector<MysqlCapture> = {
  name: 'mysql.grants',
  surface: 'mysql',
  readsDetailsOnly: true,
  checks: Object.values(checks),
  detect: detecting((found, capture) => {
    const { accounts, variables, role_grants } = capture;
    const all = Object.values(checks);
    if (!accounts.assessed) return found.cannotAssess(all, accounts.reason);
    if (!variables.assessed) return found.cannotAssess(all, variables.reason);
    if (accounts.value.truncated) found.cannotAssess(all, 'The server has more accounts than a scan reads.');
    if (!role_grants.assessed)
      found.cannotAssess(all, `Privileges from roles are unknown. ${role_grants.reason}`);
    else if (role_grants.value.truncated)
      found.cannotAssess(all, 'There are more role grants than a scan reads.');
    const holdersOf = holdersIn(capture);
    detectGlobal(found, capture, variables.value, holdersOf);
    detectCluster(found, variables.value);
    detectObjects(found, capture, holdersOf);
    detectProxies(found, capture, holdersOf);
  }),
};

type HoldersOf = (to: MysqlName) => readonly Holder[];

function rowsOf<T>(found: DetectionBuilder, of: readonly Check[], list: Assessment<MysqlList<T>>) {
  if (!list.assessed) {
    found.cannotAssess(of, list.reason);
    return [];
  }
  if (list.value.truncated) found.cannotAssess(of, 'There are more grants than a scan reads.');
  return list.value.rows;
}

/** With any of these, an account can take over others or change the server. */
const takeOver = new Set([
  ...['SET USER', 'SET_USER_ID', 'SET_ANY_DEFINER', 'ALLOW_NONEXISTENT_DEFINER', 'SYSTEM_VARIABLES_ADMIN'],
  ...['PERSIST_RO_VARIABLES_ADMIN', 'SYSTEM_USER', 'ROLE_ADMIN', 'PASSWORDLESS_USER_ADMIN', 'CREATE USER'],
  ...['AUTHENTICATION_POLICY_ADMIN', 'GRANT OPTION', 'AUDIT_ADMIN', 'CLONE_ADMIN', 'FEDERATED ADMIN'],
]);
const ofData = new Set(['SELECT', 'INSERT', 'UPDATE', 'DELETE']);
/** Privileges that `mysql.privileged_from_anywhere` also judges. */
const classic = new Set(['CREATE USER', 'GRANT OPTION', 'SHUTDOWN']);
const writing = new Set(['INSERT', 'UPDATE', 'DELETE', 'CREATE', 'DROP', 'ALTER', 'CREATE VIEW', 'TRIGGER']);

function detectGlobal(
  found: DetectionBuilder,
  { accounts, global_grants, over }: MysqlCapture,
  variables: Readonly<Record<string, string>>,
  holdersOf: HoldersOf,
): void {
  const of = [
    checks.adminPrivileges,
    checks.replicationPlaintext,
    checks.schemaWritable,
    checks.hashesReadable,
  ];
  const granted = new Map<string, { holder: Holder; privileges: Set<string> }>();
  const add = (to: MysqlName, privileges: readonly string[]) => {
    for (const holder of holdersOf(to)) {
      const entry = granted.get(holder.name) ?? { holder, privileges: new Set() };
      for (const privilege of privileges) entry.privileges.add(privilege);
      granted.set(holder.name, entry);
    }
  };
  for (const { to, privileges } of rowsOf(found, of, global_grants)) add(to, privileges);
  if (accounts.assessed)
    for (const account of accounts.value.accounts)
      add(
        account,
        account.privileges.filter(name => classic.has(name)),
      );
  const isManaged = productOf(variables).managedBy !== null;
  const isOnNetwork = listensTo(variables, over) === 'network';
  for (const { holder, privileges } of granted.values()) {
    const { name, account } = holder;
    // An account for replication alone needs it.
    const powers = [...privileges].filter(
      privilege => !ofData.has(privilege) && (privilege !== 'REPLICATION SLAVE' || privileges.size > 1),
    );
    if (powers.length > 0) {
      const strong = powers.filter(power => takeOver.has(power));
      const isNew = strong.some(power => !classic.has(power));
      const isOpen = isNew && isOnNetwork && !isManaged && (account === undefined || isFromAnywhere(account));
      const severity = strong.length === 0 ? 'low' : isOpen ? 'high' : 'medium';
      const where = isOpen ? ', and can sign in from any host' : '';
      const list = quoted(powers.sort().join(', '), 200);
      found.observe(checks.adminPrivileges, name, `${named(name)} has ${list} on *.*${where}.`, severity);
    }
    if (!isManaged && [...privileges].some(one => ['INSERT', 'UPDATE'].includes(one)))
      found.observe(
        checks.schemaWritable,
        name,
        `${named(name)} can write all databases, including the tables of accounts in mysql.`,
      );
    if (!isManaged && privileges.has('SELECT'))
      found.observe(
        checks.hashesReadable,
        name,
        `${named(name)} can read all databases, including password hashes in mysql.`,
        'low',
      );
    if (
      privileges.has('REPLICATION SLAVE') &&
      account !== undefined &&
      !account.requires_tls &&
      !isLocal(account) &&
      variables.require_secure_transport !== 'ON' &&
      isOnNetwork &&
      !isManaged
    )
      found.observe(
        checks.replicationPlaintext,
        name,
        `${named(name)} has REPLICATION SLAVE and may connect without TLS.`,
      );
  }
}

function detectCluster(found: DetectionBuilder, variables: Readonly<Record<string, string>>): void {
  const { group_replication_group_name: group, group_replication_ssl_mode: mode } = variables;
  if (group && mode === 'DISABLED')
    found.observe(
      checks.replicationPlaintext,
      'group_replication_ssl_mode',
      'group_replication_ssl_mode is DISABLED: the members of the group exchange rows without TLS.',
    );
  const { wsrep_on: isInCluster, wsrep_provider_options: options = '' } = variables;
  if (isInCluster === 'ON' && !/\bsocket\.ssl\s{0,4}=\s{0,4}yes\b/i.test(options))
    found.observe(
      checks.replicationPlaintext,
      'wsrep_provider_options',
      'wsrep_provider_options does not set socket.ssl: the nodes of the cluster exchange rows without TLS.',
    );
}

const named = (name: string) => (name === 'every account' ? 'Every account' : `The account ${name}`);

/** Tables of accounts, privileges and code, as the manuals of both servers list them. */
const critical = new Set([
  ...['user', 'global_priv', 'db', 'tables_priv', 'columns_priv', 'procs_priv', 'proxies_priv', 'role_edges'],
  ...['roles_mapping', 'default_roles', 'global_grants', 'proc', 'func', 'plugin', 'component', 'event'],
]);

function detectObjects(found: DetectionBuilder, { object_grants }: MysqlCapture, holdersOf: HoldersOf): void {
  const of = [checks.schemaWritable, checks.hashesReadable, checks.grantOption, checks.testDatabase];
  for (const grant of rowsOf(found, of, object_grants)) {
    const place = placeOf(grant);
    const granting = grant.privileges.some(one => one === 'GRANT OPTION' || one === 'GRANT');
    // A database's privileges for an empty name apply to every account.
    const holders = grant.to.user === '' && grant.table === '' ? [everyone] : holdersOf(grant.to);
    if (holders.includes(everyone) && grant.table === '' && !grant.is_system && grant.privileges.length > 0) {
      const list = grant.privileges.join(', ');
      found.observe(checks.testDatabase, place, `Every account has ${list} on ${place}.`);
    }
    for (const { name } of holders) {
      const at = `${name} on ${place}`;
      if (granting)
        found.observe(
          checks.grantOption,
          at,
          `${named(name)} can grant its privileges on ${place} to others.`,
        );
      if (!grant.is_system) continue;
      const writes = grant.privileges.filter(one => writing.has(one));
      if (writes.length > 0 && (grant.table === '' || critical.has(grant.table)))
        found.observe(checks.schemaWritable, at, `${named(name)} has ${writes.join(', ')} on ${place}.`);
      // A scan needs SELECT on the table global_priv of MariaDB alone, so that this is usual.
      if (grant.privileges.includes('SELECT') && ['', 'user'].includes(grant.table))
        found.observe(checks.hashesReadable, at, `${named(name)} can read password hashes in ${place}.`);
    }
  }
}

/** Different for different names; a pattern such as `shop\\_%` keeps its backslashes. */
const placeOf = ({ database, table }: MysqlObjectGrant) =>
  printableRest(withEscapesEscaped(withoutSecrets(`${database}.${table === '' ? '*' : table}`)));

function detectProxies(
  found: DetectionBuilder,
  { accounts, proxy_grants }: MysqlCapture,
  holdersOf: HoldersOf,
): void {
  const privileged = new Set(
    accounts.assessed
      ? accounts.value.accounts
          .filter(account => isAdministrator(account) || account.privileges.includes('SUPER'))
          .map(({ user, host }) => shown({ user, host }))
      : [],
  );
  for (const { to, proxied } of rowsOf(found, [checks.proxy], proxy_grants)) {
    const isAny = proxied.user === '';
    if (!isAny && !privileged.has(shown(proxied))) continue;
    for (const { name } of holdersOf(to)) {
      const whom = isAny ? 'any account' : `the administrator ${shown(proxied)}`;
      found.observe(
        checks.proxy,
        `${name} as ${shown(proxied)}`,
        `${named(name)} may sign in as ${whom} (PROXY).`,
      );
    }
  }
}
