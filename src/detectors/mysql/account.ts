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

/** Accounts of the server itself. */
const ofServer = new Set(['mysql.sys', 'mysql.session', 'mysql.infoschema', 'mariadb.sys']);

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

/** Accounts that can sign in and that the server's owner is responsible for. */
export function usableAccounts(
  accounts: readonly MysqlAccount[],
  product: MysqlProduct,
): readonly MysqlAccount[] {
  return accounts.filter(
    ({ user, is_role, locked }) => !is_role && !locked && !ofServer.has(user) && !isProviders(user, product),
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
