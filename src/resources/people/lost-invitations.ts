import type { Actor } from '../../database/audit.ts';
import type { PeopleTransaction } from '../../database/people-store.ts';

/** Nobody has answered it or taken it back. */
export const isOpen = 'i.accepted_at is null and i.revoked_at is null and i.declined_at is null';

/** Whether who made it may still make one for its role; those of the operator stay. */
export const isByRight = `(i.invited_by is null or exists (select from memberships b
  where b.organization_id = i.organization_id and b.person_id = i.invited_by and b.left_at is null
    and (b.role = 'owner' or (b.role = 'admin' and i.role <> 'owner'))))`;

/**
 * The person's role or membership was taken away: the invitations that they could not make any more are revoked, so that they do
 * not work again where the person comes back.
 */
export async function revokeLostInvitations(
  transaction: PeopleTransaction,
  organizationId: string,
  personId: string,
  actor: Actor,
): Promise<void> {
  const revoked = await transaction.query<{ id: string; email: string }>({
    text: `update invitations i set revoked_at = now()
      where organization_id = $1 and invited_by = $2 and expires_at > now() and ${isOpen} and not ${isByRight}
      returning id, email`,
    values: [organizationId, personId],
  });
  auditRevoked(
    transaction,
    actor,
    revoked.map(row => ({ ...row, organizationId })),
  );
}

/** An entry for each, in the log of its organization. */
export function auditRevoked(
  transaction: PeopleTransaction,
  actor: Actor,
  revoked: readonly { readonly id: string; readonly email: string; readonly organizationId: string }[],
): void {
  for (const { id, email, organizationId } of revoked) {
    transaction.audit(organizationId, actor, {
      action: 'person.invitation_revoked',
      objectKind: 'invitation',
      objectId: id,
      detail: { email },
    });
  }
}
