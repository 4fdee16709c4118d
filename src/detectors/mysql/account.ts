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

/** Accounts of a provider's service, which a customer cannot change. */
const ofProvider: Record<NonNullable<MysqlProduct['managedBy']>, RegExp> = {
  'Amazon RDS': /^(?:rdsadmin|rdsrepladmin|rdsproxyadmin|rdstopmgr|performanceinsights)$/,
  'Amazon Aurora': /^(?:rdsadmin|rdsrepladmin|rdsproxyadmin|rdstopmgr|performanceinsights)$/,
  'Google Cloud SQL': /^cloudsql[a-z]{1,40}$/,
  'Azure Database': /^azure_superuser$/,
};

/** Whether an account belongs to the service. */
export function isProviders(user: string, { managedBy }: MysqlProduct): boolean {
  return managedBy !== null && ofProvider[managedBy].test(user);
}

/** A service leaves no account of its own open to other machines: a customer made it. */
const isOpen = (account: MysqlAccount) => !isLocal(account) && hasEmptyPassword(account);

/**
 * Accounts that can sign in and that the server's owner is responsible for. The server's own, such as
 * `'mysql.sys'@'localhost'`, are locked.
 */
export function usableAccounts(
  accounts: readonly MysqlAccount[],
  product: MysqlProduct,
): readonly MysqlAccount[] {
  return accounts.filter(
    account =>
      !account.is_role && !account.locked && (!isProviders(account.user, product) || isOpen(account)),
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
