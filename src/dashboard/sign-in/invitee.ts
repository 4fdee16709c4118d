import type { FastifyRequest } from 'fastify';
import type { Account } from '../../resources/people/accounts.ts';
import type { Invitee } from '../../resources/people/invitations.ts';

/**
 * The signed-in person as the recipient of an invitation.
 *
 * @param account locked, since its address may have changed while the request waited
 */
export function inviteeOf({ actor }: FastifyRequest, { id, email, emailVerified }: Account): Invitee {
  return { id, email, emailVerified, actor };
}
