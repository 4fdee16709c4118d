import type { Actor } from '../../database/audit.ts';
import type { PeopleTransaction } from '../../database/people-store.ts';
import { auditAccount, lockAccount, setPassword } from './accounts.ts';
import { dropAccess } from './drop-access.ts';
import { makeLink, removeLinks, spendLink } from './one-time-links.ts';
import { endOtherSessions } from './sessions.ts';

interface PasswordByLink {
  readonly personId: string;
  readonly token: string;
  readonly passwordHash: string;
}

/** What the operator's reset removed, and the new link. */
interface ResetSecondFactors {
  readonly totp: boolean;
  readonly passkeys: number;
  readonly identities: number;
  readonly link: Awaited<ReturnType<typeof makeLink>>;
}

/**
 * Removes everything that opens the account of a person who lost their second factors, and creates a link for a new
 * password: someone with the previous password, an older link or a linked identity must not be able to set up the next
 * factor.
 */
export async function resetSecondFactors(
  transaction: PeopleTransaction,
  personId: string,
  actor: Actor,
): Promise<ResetSecondFactors> {
  await lockAccount(transaction, personId);
  const { totp, passkeys, identities } = await dropAccess(transaction, personId, {
    keptSession: null,
    factors: true,
  });
  await transaction.query({
    text: 'update people set password_hash = null where id = $1',
    values: [personId],
  });
  await auditAccount(transaction, actor, personId, {
    action: 'person.second_factors_reset',
    detail: { totp, passkeys, identities },
  });
  return { totp, passkeys, identities, link: await makePasswordLink(transaction, personId, actor) };
}

/** A link for a new password, shown only once. It replaces older links; nothing else changes until it is used. */
export async function makePasswordLink(transaction: PeopleTransaction, personId: string, actor: Actor) {
  await lockAccount(transaction, personId);
  await removeLinks(transaction, personId);
  const link = await makeLink(transaction, personId);
  await auditAccount(transaction, actor, personId, { action: 'person.password_link_made' });
  return link;
}

/**
 * Sets a new password with the operator's link, which is used up, and ends all sessions. If the address was not
 * verified, someone else may have had the account until now, so linked identities are removed too. Second factors stay,
 * since the link replaces only the password: if a factor belongs to someone else, `resetSecondFactors` is necessary.
 * Throws `link_invalid`.
 */
export async function recoverByLink(
  transaction: PeopleTransaction,
  { personId, token, passwordHash }: PasswordByLink,
): Promise<void> {
  const account = await lockAccount(transaction, personId);
  await spendLink(transaction, token);
  if (account?.emailVerified) await endOtherSessions(transaction, personId, null);
  else await dropAccess(transaction, personId, { keptSession: null, factors: false });
  await setPassword(transaction, personId, passwordHash);
}
