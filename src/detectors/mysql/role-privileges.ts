import type { MysqlAccount, MysqlName, MysqlRoleGrant } from '../../captures/mysql.ts';

/** The privileges that the detectors read. */
const privileges = ['SUPER', 'FILE', 'PROCESS', 'SHUTDOWN', 'GRANT OPTION', 'CREATE USER'];

export const keyOf = ({ user, host }: MysqlName) => JSON.stringify([user, host.toLowerCase()]);

/**
 * Accounts with the privileges of all their roles, direct and nested. Roles that are inactive after login
 * count, because the account can activate them.
 *
 * @param mandatory MySQL's variable `mandatory_roles`, which grants roles to every account
 */
export function withRolePrivileges(
  accounts: readonly MysqlAccount[],
  grants: readonly MysqlRoleGrant[],
  mandatory = '',
): readonly MysqlAccount[] {
  const members = membersOf(grants);
  const forEverybody = rolesOfEveryone(mandatory);
  const holders = new Map(privileges.map(name => [name, holdersOf(name, accounts, members)]));
  const common = privileges.filter(name => [...forEverybody].some(role => holders.get(name)!.has(role)));
  return accounts.map(account => {
    const key = keyOf(account);
    const held = privileges.filter(name => common.includes(name) || holders.get(name)!.has(key));
    return { ...account, privileges: held };
  });
}

/** The members of each role, direct only, by key. */
export function membersOf(grants: readonly MysqlRoleGrant[]): ReadonlyMap<string, readonly string[]> {
  const members = new Map<string, string[]>();
  for (const { role, to } of grants) {
    const known = members.get(keyOf(role));
    if (known) known.push(keyOf(to));
    else members.set(keyOf(role), [keyOf(to)]);
  }
  return members;
}

/** Keys of the roles that every account has. */
export function rolesOfEveryone(mandatory = ''): ReadonlySet<string> {
  return new Set([...mandatoryRoles(mandatory), publicRole].map(keyOf));
}

/** MariaDB's role that every account has. */
const publicRole: MysqlName = { user: 'PUBLIC', host: '' };

/** ``role`, 'other'@'host'`` */
function mandatoryRoles(list: string): MysqlName[] {
  const name = /(?:'([^']*)'|`([^`]*)`|([^\s,@'`]+))(?:@(?:'([^']*)'|`([^`]*)`|([^\s,@'`]+)))?/g;
  return [...list.matchAll(name)].map(([, a, b, c, d, e, f]) => ({
    user: a ?? b ?? c ?? '',
    host: d ?? e ?? f ?? '%',
  }));
}

function holdersOf(
  privilege: string,
  accounts: readonly MysqlAccount[],
  members: ReadonlyMap<string, readonly string[]>,
): ReadonlySet<string> {
  const direct = accounts.filter(({ privileges }) => privileges.includes(privilege)).map(keyOf);
  return withMembers(direct, members);
}

/** Keys, and those of all their members, direct and nested. */
export function withMembers(
  keys: readonly string[],
  members: ReadonlyMap<string, readonly string[]>,
): ReadonlySet<string> {
  const holders = new Set(keys);
  // Iterating a set also visits members added meanwhile.
  for (const holder of holders) for (const member of members.get(holder) ?? []) holders.add(member);
  return holders;
}
