import { randomBytes } from 'node:crypto';
import type { Invitation } from '../../contract/dashboard/people.ts';
import type { InvitationPreview, OpenInvitation, Role } from '../../contract/dashboard/session.ts';
import type { Actor } from '../../database/audit.ts';
import { organizationLock } from '../../database/organization-lock.ts';
import type { PeopleTransaction } from '../../database/people-store.ts';
import type { TenantSession } from '../../database/tenant-store.ts';
import { Refusal } from '../../domain/refusal.ts';
import { type Account, foldEmail, foldedEmail } from './accounts.ts';
import {
  auditRevoked,
  isByRight,
  isOpen,
  type RevokedInvitation,
  revokedColumns,
} from './lost-invitations.ts';
import { addMember } from './memberships.ts';
import { hasSecondFactor } from './second-factors.ts';
import { hashToken, isToken } from './sessions.ts';

/** Days for which a link is valid. */
const validDays = 7;
/** Open invitations of an organization, which are listed without pages. */
const mostOpen = 200;
/** People of an organization and its open invitations in total: people are listed without pages too. */
const mostPeople = 1_000;
/**
 * An invitation ends if its creator loses the permission to make it: otherwise it would outlast a role that was taken
 * away.
 */
const usable = `${isOpen} and i.expires_at > now() and ${isByRight}`;
const columns = `i.id, i.email, i.role, (select name from people where id = i.invited_by) as invited_by, i.created_at,
  i.expires_at`;

interface NewInvitation {
  readonly organizationId: string;
  readonly email: string;
  readonly role: Role;
  readonly actor: Actor;
}

/**
 * Creates a link for one person, and withdraws an earlier one for the same address. The token is shown only once.
 * Throws `email_taken` if the person is a member, `too_many_invitations` and `too_many_people`.
 */
export async function invite(
  transaction: PeopleTransaction,
  { organizationId, email, role, actor }: NewInvitation,
): Promise<{ invitation: Invitation; token: string }> {
  const member = await transaction.query({
    text: `select from memberships m join people p on p.id = m.person_id
      where m.organization_id = $1 and m.left_at is null and ${foldedEmail('p.email')} = ${foldedEmail('$2')}`,
    values: [organizationId, email],
  });
  if (member.length > 0) throw new Refusal('email_taken');
  // Serialized in an organization, so that withdrawals and the limit are exact.
  await transaction.query(organizationLock('invitations', organizationId));
  const withdrawn = await transaction.query<RevokedInvitation>({
    text: `update invitations i set revoked_at = now()
      where organization_id = $1 and ${foldedEmail('email')} = ${foldedEmail('$2')} and ${usable}
      returning ${revokedColumns}`,
    values: [organizationId, email],
  });
  auditRevoked(transaction, actor, withdrawn);
  const [count] = await transaction.query<{ open: number; people: number }>({
    text: `select count(*)::int as open,
        (select count(*)::int from memberships where organization_id = $1 and left_at is null) as people
      from invitations i where organization_id = $1 and ${usable}`,
    values: [organizationId],
  });
  if (count!.open >= mostOpen) throw new Refusal('too_many_invitations');
  // Accepting turns an invitation into a member, and keeps the sum.
  if (count!.open + count!.people >= mostPeople) throw new Refusal('too_many_people');
  const token = randomBytes(32).toString('base64url');
  const rows = await transaction.query<Invitation>({
    text: `insert into invitations as i (organization_id, email, role, token_hash, invited_by, expires_at)
      values ($1, $2, $3, $4, $5, now() + interval '${validDays} days') returning ${columns}`,
    values: [organizationId, email, role, hashToken(token), actor.kind === 'person' ? actor.id : null],
  });
  const invitation = rows[0]!;
  transaction.audit(organizationId, actor, {
    action: 'person.invited',
    objectKind: 'invitation',
    objectId: invitation.id,
    detail: { email, role },
  });
  return { invitation, token };
}

/** Open links, newest first. */
export async function listInvitations(session: TenantSession, organizationId: string): Promise<Invitation[]> {
  return session.query<Invitation>({
    text: `select ${columns} from invitations i where organization_id = $1 and ${usable}
      order by created_at desc, id desc`,
    values: [organizationId],
  });
}

/** Undefined if the organization has no such open link. */
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
  auditRevoked(transaction, actor, [{ id, email: rows[0].email, organizationId }]);
  return rows[0];
}

/**
 * Revokes all invitations for the account's address, in any organization, except those that the operator has created
 * since the account was: otherwise another link could claim the address again.
 */
export async function revokeInvitationsTo(
  transaction: PeopleTransaction,
  account: Pick<Account, 'id' | 'email'>,
  actor: Actor,
): Promise<void> {
  const lost = await transaction.query<RevokedInvitation>({
    text: `update invitations i set revoked_at = now()
      where ${foldedEmail('i.email')} = ${foldedEmail('$2')} and ${isOpen} and i.expires_at > now()
        and not (i.invited_by is null and i.created_at > (select created_at from people where id = $1))
      returning ${revokedColumns}`,
    values: [account.id, account.email],
  });
  auditRevoked(transaction, actor, lost);
}

/**
 * Throws `address_reserved` if the operator has invited the address and the token is from another invitation. Otherwise
 * a released address could be claimed before its owner opens the operator's link. This also applies if that link was
 * revoked since, for example by an admin who wants the address.
 */
export async function assertNotReserved(session: TenantSession, token: string): Promise<void> {
  const rows = await session.query({
    text: `select from invitations i join invitations own on ${foldedEmail('own.email')} = ${foldedEmail('i.email')}
      where own.token_hash = $1 and own.invited_by is not null and i.invited_by is null and i.accepted_at is null
        and i.expires_at > now()`,
    values: [hashToken(token)],
  });
  if (rows.length > 0) throw new Refusal('address_reserved');
}

/** The data shown to the holder of a link before accepting. Throws `link_invalid`. */
export async function previewInvitation(session: TenantSession, token: string): Promise<InvitationPreview> {
  if (!isToken(token)) throw new Refusal('link_invalid');
  const rows = await session.query<InvitationPreview>({
    text: `select o.name as organization_name, i.email, i.role, i.expires_at,
        (select name from people where id = i.invited_by) as invited_by,
        exists (select from people p where ${foldedEmail('p.email')} = ${foldedEmail('i.email')}) as has_account
      from invitations i join organizations o on o.id = i.organization_id where i.token_hash = $1 and ${usable}`,
    values: [hashToken(token)],
  });
  if (!rows[0]) throw new Refusal('link_invalid');
  return rows[0];
}

/** Open invitations for a verified address, newest first. */
export async function openInvitationsFor(session: TenantSession, email: string): Promise<OpenInvitation[]> {
  return session.query<OpenInvitation>({
    name: 'open-invitations',
    text: `select i.id, o.name as organization_name, i.role, i.expires_at,
        (select name from people where id = i.invited_by) as invited_by
      from invitations i join organizations o on o.id = i.organization_id
      where ${foldedEmail('i.email')} = ${foldedEmail('$1')} and ${usable} order by i.created_at desc, i.id desc limit 100`,
    values: [email],
  });
}

/** The organization of the newest open invitation to the address. */
export async function invitingOrganization(session: TenantSession, email: string) {
  const rows = await session.query<{ organization_id: string }>({
    text: `select i.organization_id from invitations i
      where ${foldedEmail('i.email')} = ${foldedEmail('$1')} and ${usable} order by i.created_at desc, i.id desc limit 1`,
    values: [email],
  });
  return rows[0]?.organization_id;
}

/** An invitation by the token of its link, or by the id under which it is listed for a verified address. */
export type InvitationKey = { readonly token: string } | { readonly id: string };

/** The person who answers an invitation. */
export interface Invitee {
  readonly id: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly actor: Actor;
}

/**
 * Makes the person a member. Of several simultaneous calls, one succeeds. Throws `link_invalid`; `sign_in_first` if the
 * invitation is for another address; `second_factor_enrolment_required` if the role requires a factor that the person
 * has not set up; `email_taken` if the person is already a member, whose role stays unchanged.
 */
export async function acceptInvitation(transaction: PeopleTransaction, key: InvitationKey, person: Invitee) {
  const invitation = await answerInvitation(transaction, key, person, 'accepted_at');
  const { organization_id: organizationId, role, email, id } = invitation;
  if (role !== 'member' && !(await hasSecondFactor(transaction, person.id)))
    throw new Refusal('second_factor_enrolment_required');
  const added = await addMember(transaction, organizationId, person.id, role);
  if (!added) throw new Refusal('email_taken');
  transaction.audit(organizationId, person.actor, {
    action: 'person.joined',
    objectKind: 'person',
    objectId: person.id,
    detail: { email, role, invitation: id },
  });
  // From now on, the records show the current name.
  if (added.formerName === null || added.formerName === added.name) return;
  transaction.audit(organizationId, person.actor, {
    action: 'person.renamed',
    objectKind: 'person',
    objectId: person.id,
    detail: { from: added.formerName, to: added.name },
  });
}

/** Ends the invitation. Throws like `acceptInvitation`. */
export async function declineInvitation(transaction: PeopleTransaction, key: InvitationKey, person: Invitee) {
  const { organization_id, id, email } = await answerInvitation(transaction, key, person, 'declined_at');
  transaction.audit(organization_id, person.actor, {
    action: 'person.invitation_declined',
    objectKind: 'invitation',
    objectId: id,
    detail: { email },
  });
}

/** The invitation, and the organization of its audit entry; undefined if it is no longer open. */
export async function concernOfInvitation(session: TenantSession, key: InvitationKey) {
  const open = `select id, organization_id as "organizationId" from invitations i where ${usable}`;
  const [invitation] = await session.query<{ id: string; organizationId: string }>(
    'token' in key
      ? { text: `${open} and token_hash = $1`, values: [hashToken(key.token)] }
      : { text: `${open} and id = $1`, values: [key.id] },
  );
  return invitation;
}

interface AnsweredInvitation {
  readonly id: string;
  readonly organization_id: string;
  readonly email: string;
  readonly role: Role;
}

async function answerInvitation(
  transaction: PeopleTransaction,
  key: InvitationKey,
  { email, emailVerified }: Invitee,
  answer: 'accepted_at' | 'declined_at',
): Promise<AnsweredInvitation> {
  const byToken = 'token' in key;
  if (!byToken && !emailVerified) throw new Refusal('link_invalid');
  const answered = `update invitations i set ${answer} = now() where ${usable}`;
  const columns = 'id, organization_id, email, role';
  const [invitation] = await transaction.query<AnsweredInvitation>(
    'token' in key
      ? { text: `${answered} and token_hash = $1 returning ${columns}`, values: [hashToken(key.token)] }
      : {
          text: `${answered} and id = $1 and ${foldedEmail('i.email')} = ${foldedEmail('$2')} returning ${columns}`,
          values: [key.id, email],
        },
  );
  if (!invitation) throw new Refusal('link_invalid');
  if (foldEmail(invitation.email) !== foldEmail(email)) {
    throw new Refusal(byToken ? 'sign_in_first' : 'link_invalid');
  }
  return invitation;
}
