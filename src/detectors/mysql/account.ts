import type { MysqlAccount } from '../../captures/mysql.ts';
import { printable } from '../printable.ts';
import type { MysqlProduct } from './product.ts';

/** Hosts that mean this machine. `127.0.0.1` and `::1` are for servers that do not resolve names. */
const local = new Set(['localhost', '127.0.0.1', '::1', '127.0.0.0/255.0.0.0', '127.%']);

export const isLocal = ({ host }: MysqlAccount) => local.has(host.toLowerCase());

/** Patterns that every address matches: `%`, the empty one, and networks without a bit that counts. */
export function isFromAnywhere({ host }: MysqlAccount): boolean {
  return /^[%._]{0,60}$/.test(host) || /^(?:0\.0\.0\.0|::)\/(?:0|0\.0\.0\.0)$/.test(host);
}

/** Accounts that the server itself uses. */
const ofServer = new Set(['mysql.sys', 'mysql.session', 'mysql.infoschema', 'mariadb.sys']);

/** Accounts through which a provider runs its service, which a customer can neither see into nor change. */
const ofProvider: Record<NonNullable<MysqlProduct['managedBy']>, RegExp> = {
  'Amazon RDS': /^(?:rdsadmin|rdsrepladmin|rdsproxyadmin|rdstopmgr|performanceinsights)$/,
  'Amazon Aurora': /^(?:rdsadmin|rdsrepladmin|rdsproxyadmin|rdstopmgr|performanceinsights)$/,
  'Google Cloud SQL': /^cloudsql[a-z]{1,40}$/,
  'Azure Database': /^azure_superuser$/,
};

/** Whether an account is the service's own. */
export function isProviders(user: string, { managedBy }: MysqlProduct): boolean {
  return managedBy !== null && ofProvider[managedBy].test(user);
}

/** Accounts with which somebody can log in and which the owner of the server answers for. */
export function usableAccounts(
  accounts: readonly MysqlAccount[],
  product: MysqlProduct,
): readonly MysqlAccount[] {
  return accounts.filter(
    ({ user, is_role, locked }) => !is_role && !locked && !ofServer.has(user) && !isProviders(user, product),
  );
}

/** `'user'@'host'`, as the statements about accounts spell it. */
export function nameOf({ user, host }: MysqlAccount): string {
  return `${quotedName(user)}@${quotedName(host)}`;
}

export const quotedName = (name: string) => `'${printable(name).replaceAll("'", "''")}'`;

/** Plugins that compare a password with what is stored. The empty name stands for the server's default. */
const byPassword = new Set([
  '',
  ...['mysql_native_password', 'mysql_old_password', 'sha256_password', 'caching_sha2_password'],
  ...['ed25519', 'parsec'],
]);

/** Whether a password, or the lack of one, is what lets somebody in by this plugin. */
export const comparesPassword = (plugin: string) => byPassword.has(plugin.toLowerCase());
