import type { Actor } from '../../database/audit.ts';
import type { PeopleTransaction } from '../../database/people-store.ts';
import { lockAccount } from './accounts.ts';
import { endChanges } from './changes-in-progress.ts';
import { dropAccess } from './drop-access.ts';
import { revokeInvitationsTo } from './invitations.ts';
import { organizationsOf } from './memberships.ts';

/**
 * Permanently removes the address from an account, with everything that opens the account and all memberships acquired
 * under the address. The organizations' records keep the name of the account.
 *
 * @param actor who closes it, never the account itself
 * @param detail further fields of the audit entries
 */
export async function closeAccount(
  transaction: PeopleTransaction,
  personId: string,
  actor: Actor,
  detail: Readonly<Record<string, string>> = {},
): Promise<void> {
  await endChanges(transaction, personId);
  await lockAccount(transaction, personId);
  for (const { id, role } of await organizationsOf(transaction, personId)) {
    transaction.audit(id, actor, {
      action: 'person.account_closed',
      objectKind: 'person',
      objectId: personId,
      detail: { role, ...detail },
    });
  }
  await transaction.query({
    text: 'update memberships set left_at = now() where person_id = $1 and left_at is null',
    values: [personId],
  });
  await dropAccess(transaction, personId, { keptSession: null, factors: true });
  await transaction.query({
    // Names below .invalid never resolve (RFC 6761, section 6.4), and an unpredictable one cannot be registered in
    // advance.
    text: `update people set email = 'closed-' || id || '-' || gen_random_uuid() || '@parapet.invalid',
      email_verified_at = null, password_hash = null, password_changed_at = null where id = $1`,
    values: [personId],
  });
}

/**
 * For the operator: closes an account whose address belongs to someone else. Links that could claim the address again
 * are revoked, except those that the operator has created since the account was.
 */
export async function releaseAddress(transaction: PeopleTransaction, personId: string, actor: Actor) {
  const account = await lockAccount(transaction, personId);
  await closeAccount(transaction, personId, actor);
  await revokeInvitationsTo(transaction, account!, actor);
}
