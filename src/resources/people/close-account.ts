import type { Actor } from '../../database/audit.ts';
import type { PeopleTransaction } from '../../database/people-store.ts';
import { lockAccount } from './accounts.ts';
import { endChanges } from './changes-under-way.ts';
import { dropAccess } from './drop-access.ts';
import { revokeInvitationsTo } from './invitations.ts';
import { organizationsOf } from './memberships.ts';

/**
 * Takes the address from an account for good, and with it everything that opens the account and every membership that it
 * got under the address. What it has done keeps its name in the organizations' records.
 *
 * @param actor who closes it, which is never the account itself
 * @param detail further parts of the audit entries
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
    // A name below .invalid is nobody's (RFC 6761, section 6.4), and one that cannot be known before is taken by nobody.
    text: `update people set email = 'closed-' || id || '-' || gen_random_uuid() || '@parapet.invalid',
      email_verified_at = null, password_hash = null, password_changed_at = null where id = $1`,
    values: [personId],
  });
}

/**
 * Closes an account whose address somebody else owns, for the operator. Links that could take the address again are revoked,
 * but for those that the operator has made since the account was.
 */
export async function releaseAddress(
  transaction: PeopleTransaction,
  personId: string,
  actor: Actor,
): Promise<void> {
  const account = await lockAccount(transaction, personId);
  await closeAccount(transaction, personId, actor);
  await revokeInvitationsTo(transaction, account!, actor);
}
