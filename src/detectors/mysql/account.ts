import type { MysqlAccount } from '../../captures/mysql.ts';
import { printable } from '../printable.ts';
import type { MysqlProduct } from './product.ts';

/** Hosts that mean this machine. Servers that do not resolve names have `127.0.0.1` and `::1`. */
const local = new Set(['localhost', '127.0.0.1', '::1', '127.0.0.0/255.0.0.0', '127.%']);

export const isLocal = ({ host }: MysqlAccount) => local.has(host.toLowerCase());

/** Patterns that match every address: `%`, the empty one, and networks with an empty mask. */
export function isFromAnywhere({ host }: MysqlAccount): boolean {
  return /^[%._]{0,60}$/.test(host) || /^(?:0\.0\.0\.0|::)\/(?:0|0\.0\.0\.0)$/.test(host);
}

/** The accounts of the server's administrator. */
export function isAdministrator(account: MysqlAccount): boolean {
  return (
    account.user === 'root' || (isLocal(account) && ['mysql', 'debian-sys-maint'].includes(account.user))
  );
}

interface ProvidersUsers {
  readonly local: readonly string[];
  /** Replicas and proxies of the service sign in as these from other machines. */
  readonly remote: readonly string[];
}

const ofAmazon: ProvidersUsers = {
  local: ['rdsadmin', 'rdstopmgr', 'performanceinsights'],
  remote: ['rdsrepladmin', 'rdsproxyadmin'],
};

/** Users of a provider's service, which a customer cannot change. */
const ofProvider: Record<NonNullable<MysqlProduct['managedBy']>, ProvidersUsers> = {
  'Amazon RDS': ofAmazon,
  'Amazon Aurora': ofAmazon,
  'Google Cloud SQL': {
    local: [
      ...['cloudsqladmin', 'cloudsqlapplier', 'cloudsqlexport', 'cloudsqlimport', 'cloudsqloneshot'],
      ...['cloudsqlobservabilityadmin', 'cloudsqlreadonly'],
    ],
    remote: ['cloudsqlreplica'],
  },
  'Azure Database': { local: ['azure_superuser'], remote: [] },
};

const usersOf = ({ managedBy }: MysqlProduct): ProvidersUsers =>
  managedBy === null ? { local: [], remote: [] } : ofProvider[managedBy];

/** Whether a user has a name of the service's. */
export function isProviders(user: string, product: MysqlProduct): boolean {
  const { local, remote } = usersOf(product);
  return local.includes(user) || remote.includes(user);
}

/** Whether an account belongs to the service. With another host or an empty password, a customer made it. */
function isProvidersAccount(account: MysqlAccount, product: MysqlProduct): boolean {
  if (isLocal(account)) return isProviders(account.user, product);
  return usersOf(product).remote.includes(account.user) && !hasEmptyPassword(account);
}

/**
 * Accounts that can sign in and that the server's owner is responsible for. The server's own, such as
 * `'mysql.sys'@'localhost'`, are locked.
 */
export function usableAccounts(
  accounts: readonly MysqlAccount[],
  product: MysqlProduct,
): readonly MysqlAccount[] {
  return accounts.filter(
    account => !account.is_role && !account.locked && !isProvidersAccount(account, product),
  );
}

/** `'user'@'host'`, as in account statements. */
export function nameOf({ user, host }: MysqlAccount): string {
  return `${quotedName(user)}@${quotedName(host)}`;
}

export const quotedName = (name: string) => `'${printable(name).replaceAll("'", "''")}'`;

/** Plugins that verify a stored password. The empty name is the server's default. */
const byPassword = new Set([
  '',
  ...['mysql_native_password', 'mysql_old_password', 'sha256_password', 'caching_sha2_password'],
  ...['ed25519', 'parsec'],
]);

/** Whether this plugin authenticates by password, including an empty one. */
export const comparesPassword = (plugin: string) => byPassword.has(plugin.toLowerCase());

/** Whether one of its ways to sign in is an empty password. */
export const hasEmptyPassword = ({ log_ins }: MysqlAccount) =>
  log_ins.some(({ plugin, empty }) => empty && comparesPassword(plugin));
