import type { Actor } from '../audit.ts';
import { auditAccount, lockAccount } from './accounts.ts';
import { makeLink } from './one-time-links.ts';
import type { PeopleTransaction } from './people-store.ts';
import { endOtherSessions } from './sessions.ts';

/**
 * Takes every second factor from somebody who has lost them, ends their sessions, and makes a link for a new password in the
 * place of the one that they have: who knows that alone must not get to set up the next factor. Returns what there was, and
 * the link; null for who has no password and signs in with the provider.
 */
export async function resetSecondFactors(
  transaction: PeopleTransaction,
  personId: string,
  actor: Actor,
): Promise<{ totp: boolean; passkeys: number; link: Awaited<ReturnType<typeof makeLink>> | null }> {
  await lockAccount(transaction, personId);
  const remove = (table: string) =>
    transaction.query({ text: `delete from ${table} where person_id = $1 returning 1`, values: [personId] });
  const totp = (await remove('totp_factors')).length > 0;
  const passkeys = (await remove('passkeys')).length;
  await remove('backup_codes');
  await endOtherSessions(transaction, personId, null);
  await auditAccount(transaction, actor, personId, {
    action: 'person.second_factors_reset',
    detail: { totp, passkeys },
  });
  const cleared = await transaction.query({
    text: `update people set password_hash = null where id = $1 and password_hash is not null returning id`,
    values: [personId],
  });
  const link = cleared.length > 0 ? await makePasswordLink(transaction, personId, actor) : null;
  return { totp, passkeys, link };
}

/** A link for a new password, shown this once. The second factor stays what it is. */
export async function makePasswordLink(
  transaction: PeopleTransaction,
  personId: string,
  actor: Actor,
): Promise<{ token: string; expiresAt: string }> {
  const link = await makeLink(transaction, personId);
  await auditAccount(transaction, actor, personId, { action: 'person.password_link_made' });
  return link;
}
