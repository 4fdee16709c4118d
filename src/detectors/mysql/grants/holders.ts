import type { MysqlAccount, MysqlCapture, MysqlName } from '../../../captures/mysql.ts';
import { isAdministrator, nameOf, quotedName, usableAccounts } from '../account.ts';
import { productOf } from '../product.ts';
import { keyOf, membersOf, rolesOfEveryone, withMembers, withRolePrivileges } from '../role-privileges.ts';

/** Who has a privilege: an account, or everyone. */
export interface Holder {
  /** `'app'@'10.1.%'` or `every account`. */
  readonly name: string;
  readonly account?: MysqlAccount;
}

export const everyone: Holder = { name: 'every account' };

/**
 * Finds the accounts that have what was granted to an account or role: directly or through roles. Administrators are left
 * out, also those with another name than root: they may do everything anyway, and other checks report them.
 */
export function holdersIn(capture: MysqlCapture): (to: MysqlName) => readonly Holder[] {
  if (!capture.accounts.assessed || !capture.variables.assessed) return () => [];
  const variables = capture.variables.value;
  const { accounts } = capture.accounts.value;
  const grants = capture.role_grants.assessed ? capture.role_grants.value.grants : [];
  const effective = withRolePrivileges(accounts, grants, variables.mandatory_roles);
  const isHead = (account: MysqlAccount) =>
    isAdministrator(account) ||
    account.privileges.includes('SUPER') ||
    (account.privileges.includes('CREATE USER') && account.privileges.includes('GRANT OPTION'));
  const usable = new Map(
    usableAccounts(effective, productOf(variables))
      .filter(account => !isHead(account))
      .map(account => [keyOf(account), account]),
  );
  const members = membersOf(grants);
  const ofEveryone = rolesOfEveryone(variables.mandatory_roles);
  return to => {
    const keys = withMembers([keyOf(to)], members);
    if ([...keys].some(key => ofEveryone.has(key))) return [everyone];
    return [...keys].flatMap(key => {
      const account = usable.get(key);
      return account === undefined ? [] : [{ name: nameOf(account), account }];
    });
  };
}

/** `'user'@'host'` of a name. */
export const shown = ({ user, host }: MysqlName) => `${quotedName(user)}@${quotedName(host)}`;
