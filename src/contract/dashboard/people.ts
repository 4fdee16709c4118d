import { type Static, Type } from 'typebox';
import { closed, NullableTimestamp, Timestamp, Uuid } from '../values.ts';
import { Email, Role } from './session.ts';

/** A member of an organization. */
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

/** An open invitation. */
export const Invitation = closed({
  id: Uuid,
  email: Type.String(),
  role: Role,
  invited_by: Type.Union([Type.String(), Type.Null()], {
    description: 'Name of the person; null for the operator.',
  }),
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
  url: Type.String({
    description: 'Single-use link, shown only once. Send it to the person through a private channel.',
  }),
});
export const ChangeRole = closed({ role: Role });
export const PersonEnvelope = closed({ person: Person });
export const InvitationEnvelope = closed({ invitation: Invitation });
export const PeopleList = closed({ people: Type.Array(Person) });
