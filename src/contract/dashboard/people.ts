import { type Static, Type } from 'typebox';
import { closed, NullableTimestamp, Timestamp, Uuid } from '../values.ts';
import { Email, Role } from './session.ts';

/** Somebody who belongs to an organization. */
export const Person = closed({
  id: Uuid,
  name: Type.String(),
  email: Type.String(),
  role: Role,
  joined_at: Timestamp,
  last_seen_at: NullableTimestamp,
  second_factor: Type.Boolean({ description: 'Whether a second factor is set up.' }),
});
export type Person = Static<typeof Person>;

/** A link that makes whoever opens it a member. */
export const Invitation = closed({
  id: Uuid,
  email: Type.String(),
  role: Role,
  invited_by: Type.Union([Type.String(), Type.Null()], { description: 'A name; null: the operator.' }),
  created_at: Timestamp,
  expires_at: Timestamp,
});
export type Invitation = Static<typeof Invitation>;

export const PeopleAndInvitations = closed({
  people: Type.Array(Person),
  invitations: Type.Array(Invitation),
});
export const InvitePerson = closed({ email: Email, role: Role });
export const InvitedPerson = closed({
  invitation: Invitation,
  url: Type.String({ description: 'Works once. Shown this once: hand it to the person yourself.' }),
});
export const ChangeRole = closed({ role: Role });
export const PersonEnvelope = closed({ person: Person });
export const InvitationEnvelope = closed({ invitation: Invitation });
export const PeopleList = closed({ people: Type.Array(Person) });
