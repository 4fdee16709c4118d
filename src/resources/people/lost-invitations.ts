import type { Actor } from '../../database/audit.ts';
import type { PeopleTransaction } from '../../database/people-store.ts';

/** The invitation was neither answered nor withdrawn. */
export const isOpen = 'i.accepted_at is null and i.revoked_at is null and i.declined_at is null';

/** Whether its creator may still make an invitation for its role; the operator's stay valid. */
export const isByRight = `(i.invited_by is null or exists (select from memberships b
  where b.organization_id = i.organization_id and b.person_id = i.invited_by and b.left_at is null
    and (b.role = 'owner' or (b.role = 'admin' and i.role <> 'owner'))))`;

/** What `auditRevoked` needs of an invitation. */
export type RevokedInvitation = Readonly<Record<'id' | 'email' | 'organizationId', string>>;
/** Of invitations, for a `RevokedInvitation`. */
export const revokedColumns = 'id, email, organization_id as "organizationId"';

/**
 * After a person loses a role or a membership: revokes the invitations that they may no longer make, so that these do
 * not work again if the person returns.
 */
export async function revokeLostInvitations(
  transaction: PeopleTransaction,
  organizationId: string,
  personId: string,
  actor: Actor,
): Promise<void> {
  const lost = await transaction.query<RevokedInvitation>({
    text: `update invitations i set revoked_at = now()
      where organization_id = $1 and invited_by = $2 and expires_at > now() and ${isOpen} and not ${isByRight}
      returning ${revokedColumns}`,
    values: [organizationId, personId],
  });
  auditRevoked(transaction, actor, lost);
}

/** Adds an entry for each to its organization's audit log. */
export function auditRevoked(
  transaction: PeopleTransaction,
  actor: Actor,
  invitations: readonly RevokedInvitation[],
): void {
  for (const { id, email, organizationId } of invitations) {
    transaction.audit(organizationId, actor, {
      action: 'person.invitation_revoked',
      objectKind: 'invitation',
      objectId: id,
      detail: { email },
    });
  }
}
