import type { Person } from '../../contract/dashboard/people.ts';
import type { Role } from '../../contract/dashboard/session.ts';
import type { Actor } from '../../database/audit.ts';
import { jsonRows, jsonTimestamp } from '../../database/json-text.ts';
import type { PeopleTransaction } from '../../database/people-store.ts';
import type { TenantSession } from '../../database/tenant-store.ts';
import { Refusal } from '../../domain/refusal.ts';
import { endChanges } from './changes-in-progress.ts';
import { revokeLostInvitations } from './lost-invitations.ts';
import { factorSetUp } from './second-factors.ts';

/** The person's current organizations, by name. */
export async function organizationsOf(
  session: TenantSession,
  personId: string,
): Promise<{ id: string; name: string; role: Role }[]> {
  return session.query({
    name: 'organizations-of-person',
    text: `select o.id, o.name, m.role from memberships m join organizations o on o.id = m.organization_id
      where m.person_id = $1 and m.left_at is null order by lower(o.name), o.id`,
    values: [personId],
  });
}

/**
 * Adds the person, or restores one who left: then `formerName` is their name in the organization's records until now.
 * Undefined, without a change, for a current member.
 */
export async function addMember(
  transaction: PeopleTransaction,
  organizationId: string,
  personId: string,
  role: Role,
): Promise<{ name: string; formerName: string | null } | undefined> {
  const [added] = await transaction.query<{ name: string; formerName: string | null }>({
    text: `with former as (select former_name from memberships where organization_id = $1 and person_id = $2)
      insert into memberships as m (organization_id, person_id, role) values ($1, $2, $3)
      on conflict (organization_id, person_id) do update set role = excluded.role, joined_at = now(), left_at = null
        where m.left_at is not null
      returning (select name from people where id = $2) as name, (select former_name from former) as "formerName"`,
    values: [organizationId, personId, role],
  });
  return added;
}

/** @param time formats a timestamp */
const personColumns = (time: (column: string) => string) => `p.id, p.name, p.email, m.role,
  ${time('m.joined_at')} as joined_at,
  ${time('(select max(last_seen_at) from sessions s where s.person_id = p.id)')} as last_seen_at,
  ${factorSetUp('p.id')} as second_factor`;

const members =
  'memberships m join people p on p.id = m.person_id where m.organization_id = $1 and m.left_at is null';
const byName = 'order by lower(p.name), p.id';
const asStored = (column: string) => column;

/** For the operator. */
export async function listPeople(session: TenantSession, organizationId: string): Promise<Person[]> {
  return session.query<Person>({
    text: `select ${personColumns(asStored)} from ${members} ${byName}`,
    values: [organizationId],
  });
}

/** The same as JSON, since an organization can have a thousand people. */
export async function listPeopleText(session: TenantSession, organizationId: string): Promise<string> {
  const [row] = await session.query<{ people: string }>({
    text: `select ${jsonRows(`select ${personColumns(jsonTimestamp)} from ${members} ${byName}`)}::text as people`,
    values: [organizationId],
  });
  return row!.people;
}

/** Undefined if no member has this id. */
export async function findMember(session: TenantSession, organizationId: string, personId: string) {
  const rows = await session.query<Person>({
    text: `select ${personColumns(asStored)} from ${members} and p.id = $2`,
    values: [organizationId, personId],
  });
  return rows[0];
}

/**
 * Locks the person, the owners and the actor: this prevents simultaneous removals of the last owner, and changes with a
 * role that was removed while the request waited. Undefined if no member has this id. Throws `forbidden` if the actor
 * no longer has the role.
 */
async function lockPerson(
  transaction: PeopleTransaction,
  { organizationId, personId, actor, by }: MembershipChange,
): Promise<{ role: Role; lastOwner: boolean } | undefined> {
  const actorId = actor.kind === 'person' ? actor.id : null;
  const rows = await transaction.query<{ person_id: string; role: Role }>({
    text: `select person_id, role from memberships where organization_id = $1 and left_at is null
      and (role = 'owner' or person_id = $2 or person_id = $3) order by person_id for update`,
    values: [organizationId, personId, actorId],
  });
  const roleOf = (id: string) => rows.find(row => row.person_id === id)?.role;
  if (actorId !== null && roleOf(actorId) !== by) throw new Refusal('forbidden');
  const role = roleOf(personId);
  const owners = rows.filter(row => row.role === 'owner').length;
  return role && { role, lastOwner: role === 'owner' && owners === 1 };
}

/** Throws `forbidden` if the person now has another role, or none. Keeps the role until the transaction ends. */
export async function holdRole(
  transaction: PeopleTransaction,
  { organizationId, personId, role }: { organizationId: string; personId: string; role: Role },
): Promise<void> {
  const rows = await transaction.query({
    text: `select from memberships where organization_id = $1 and person_id = $2 and role = $3 and left_at is null for share`,
    values: [organizationId, personId, role],
  });
  if (rows.length === 0) throw new Refusal('forbidden');
}

/** The actor and the member of a change, and the organization. */
export interface MembershipChange {
  readonly organizationId: string;
  readonly personId: string;
  readonly actor: Actor;
  /** The actor's role; the operator's counts as owner. */
  readonly by: Role;
}

/** False if no member has this id. Throws `forbidden` and `last_owner`. */
export async function changeRole(transaction: PeopleTransaction, change: MembershipChange, role: Role) {
  const { organizationId, personId, actor, by } = change;
  await endChanges(transaction, personId);
  const before = await lockPerson(transaction, change);
  if (!before) return false;
  if (by !== 'owner' && (before.role === 'owner' || role === 'owner')) throw new Refusal('forbidden');
  if (before.role === role) return true;
  if (before.lastOwner) throw new Refusal('last_owner');
  await transaction.query({
    text: 'update memberships set role = $3 where organization_id = $1 and person_id = $2',
    values: [organizationId, personId, role],
  });
  await revokeLostInvitations(transaction, organizationId, personId, actor);
  transaction.audit(organizationId, actor, {
    action: 'person.role_changed',
    objectKind: 'person',
    objectId: personId,
    detail: { from: before.role, to: role },
  });
  return true;
}

/** Keeps the account, since it may belong to other organizations. Returns false and throws like `changeRole`. */
export async function removeMember(transaction: PeopleTransaction, change: MembershipChange) {
  const { organizationId, personId, actor, by } = change;
  await endChanges(transaction, personId);
  const before = await lockPerson(transaction, change);
  if (!before) return false;
  if (by !== 'owner' && before.role === 'owner') throw new Refusal('forbidden');
  if (before.lastOwner) throw new Refusal('last_owner');
  await transaction.query({
    text: 'update memberships set left_at = now() where organization_id = $1 and person_id = $2',
    values: [organizationId, personId],
  });
  await revokeLostInvitations(transaction, organizationId, personId, actor);
  transaction.audit(organizationId, actor, {
    action: 'person.removed',
    objectKind: 'person',
    objectId: personId,
    detail: { role: before.role },
  });
  return true;
}
