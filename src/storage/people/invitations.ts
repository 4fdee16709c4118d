import { randomBytes } from 'node:crypto';
import type { Invitation } from '../../contract/dashboard/people.ts';
import type { InvitationPreview, Role } from '../../contract/dashboard/session.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { Actor } from '../audit.ts';
import type { TenantSession } from '../tenant-store.ts';
import { addMember } from './memberships.ts';
import type { PeopleTransaction } from './people-store.ts';
import { hashToken } from './sessions.ts';

/** Days for which a link works. */
const validDays = 7;
const usable = 'i.accepted_at is null and i.revoked_at is null and i.expires_at > now()';
const columns = `i.id, i.email, i.role, (select name from people where id = i.invited_by) as invited_by, i.created_at,
  i.expires_at`;

interface NewInvitation {
  readonly organizationId: string;
  readonly email: string;
  readonly role: Role;
  readonly actor: Actor;
}

/**
 * A link for one person. Another one for the same address withdraws it. The token is shown this once. Throws
 * `email_taken` where the person belongs to the organization.
 */
export async function invite(
  transaction: PeopleTransaction,
  { organizationId, email, role, actor }: NewInvitation,
): Promise<{ invitation: Invitation; token: string }> {
  const member = await transaction.query({
    text: `select from memberships m join people p on p.id = m.person_id
      where m.organization_id = $1 and m.left_at is null and lower(p.email) = lower($2)`,
    values: [organizationId, email],
  });
  if (member.length > 0) throw new Refusal('email_taken');
  await transaction.query({
    text: `update invitations i set revoked_at = now()
      where organization_id = $1 and lower(email) = lower($2) and ${usable}`,
    values: [organizationId, email],
  });
  const token = randomBytes(32).toString('base64url');
  const rows = await transaction.query<Invitation>({
    text: `insert into invitations as i (organization_id, email, role, token_hash, invited_by, expires_at)
      values ($1, $2, $3, $4, $5, now() + interval '${validDays} days') returning ${columns}`,
    values: [organizationId, email, role, hashToken(token), actor.kind === 'person' ? actor.id : null],
  });
  const invitation = rows[0]!;
  await transaction.audit(organizationId, actor, {
    action: 'person.invited',
    objectKind: 'invitation',
    objectId: invitation.id,
    detail: { email, role },
  });
  return { invitation, token };
}

/** Links that can still be used, newest first. */
export async function listInvitations(session: TenantSession, organizationId: string): Promise<Invitation[]> {
  return session.query<Invitation>({
    text: `select ${columns} from invitations i where organization_id = $1 and ${usable}
      order by created_at desc, id desc`,
    values: [organizationId],
  });
}

/** Undefined when the organization has no such link that can still be used. */
export async function revokeInvitation(
  transaction: PeopleTransaction,
  organizationId: string,
  id: string,
  actor: Actor,
): Promise<Invitation | undefined> {
  const rows = await transaction.query<Invitation>({
    text: `update invitations i set revoked_at = now() where organization_id = $1 and id = $2 and ${usable}
      returning ${columns}`,
    values: [organizationId, id],
  });
  if (!rows[0]) return undefined;
  await transaction.audit(organizationId, actor, {
    action: 'person.invitation_revoked',
    objectKind: 'invitation',
    objectId: id,
    detail: { email: rows[0].email },
  });
  return rows[0];
}

/** What whoever holds the link may know before accepting. Throws `link_invalid`. */
export async function previewInvitation(session: TenantSession, token: string): Promise<InvitationPreview> {
  const rows = await session.query<InvitationPreview>({
    text: `select o.name as organization_name, i.email, i.role, i.expires_at,
        (select name from people where id = i.invited_by) as invited_by,
        exists (select from people p where lower(p.email) = lower(i.email)) as has_account
      from invitations i join organizations o on o.id = i.organization_id where i.token_hash = $1 and ${usable}`,
    values: [hashToken(token)],
  });
  if (!rows[0]) throw new Refusal('link_invalid');
  return rows[0];
}

/** Spends the link for the person, whose address it must be for. Throws `link_invalid` and `sign_in_first`. */
export async function acceptInvitation(
  transaction: PeopleTransaction,
  token: string,
  person: { readonly id: string; readonly email: string; readonly address: string },
): Promise<{ organizationId: string; role: Role }> {
  const rows = await transaction.query<{ id: string; organization_id: string; email: string; role: Role }>({
    text: `update invitations i set accepted_at = now() where token_hash = $1 and ${usable}
      returning id, organization_id, email, role`,
    values: [hashToken(token)],
  });
  const invitation = rows[0];
  if (!invitation) throw new Refusal('link_invalid');
  if (invitation.email.toLowerCase() !== person.email.toLowerCase()) throw new Refusal('sign_in_first');
  const { organization_id: organizationId, role } = invitation;
  await addMember(transaction, organizationId, person.id, role);
  const actor: Actor = { kind: 'person', id: person.id, address: person.address };
  await transaction.audit(organizationId, actor, {
    action: 'person.joined',
    objectKind: 'person',
    objectId: person.id,
    detail: { email: invitation.email, role, invitation: invitation.id },
  });
  return { organizationId, role };
}
