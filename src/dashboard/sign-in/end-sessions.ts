import type { FastifyRequest } from 'fastify';
import type { TenantSession } from '../../database/tenant-store.ts';
import { Refusal } from '../../domain/refusal.ts';
import { hasNewerSession } from '../../resources/people/sessions.ts';

/** For routes that end sessions: why they do not always require a step-up. */
export const olderSessionsOnly =
  'Only removes access, of older sessions. Ending newer sessions requires a step-up, so that a stolen session cannot block sign-in.';

/**
 * Throws `step_up_required` if a session without a step-up would end a newer one. Otherwise a stolen session could end those
 * of its owner as fast as they sign in. The account is locked.
 *
 * @param id the session to end; null for all other sessions
 */
export async function assertMayEnd(
  { session, person }: FastifyRequest,
  transaction: TenantSession,
  id: string | null,
): Promise<void> {
  if (session!.steppedUpUntil) return;
  if (await hasNewerSession(transaction, person.id, session!.id, id)) throw new Refusal('step_up_required');
}
