import type { FastifyRequest } from 'fastify';
import type { Invitee } from '../storage/people/invitations.ts';

/** Who is signed in, as one who answers an invitation. */
export function inviteeOf({ person, session, actor }: FastifyRequest): Invitee {
  const { emailVerified, secondFactorSetUp } = session!;
  return { id: person.id, email: person.email, emailVerified, secondFactorSetUp, actor };
}
