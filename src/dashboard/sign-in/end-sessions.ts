import type { FastifyRequest } from 'fastify';
import type { TenantSession } from '../../database/tenant-store.ts';
import { Refusal } from '../../domain/refusal.ts';
import { hasNewerSession } from '../../resources/people/sessions.ts';

/** Of the routes that end sessions: why they do not always ask for a step-up. */
export const olderSessionsOnly =
  'Takes access away only, from sessions that began before. The route asks for one to end newer sessions, so that a stolen one keeps nobody from signing in.';

/**
 * Throws `step_up_required` where a session without a step-up would end one that is newer: who has a stolen session could end those
 * of its owner as fast as they sign in. The account is locked.
 *
 * @param id the session to end; null for all others
 */
export async function assertMayEnd(
  { session, person }: FastifyRequest,
  transaction: TenantSession,
  id: string | null,
): Promise<void> {
  if (session!.steppedUpUntil) return;
  if (await hasNewerSession(transaction, person.id, session!.id, id)) throw new Refusal('step_up_required');
}
