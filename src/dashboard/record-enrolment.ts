import type { FastifyRequest } from 'fastify';
import { auditAccount } from '../storage/people/accounts.ts';
import { renewBackupCodes } from '../storage/people/backup-codes.ts';
import type { PeopleTransaction } from '../storage/people/people-store.ts';
import { raiseSession } from './open-session.ts';

/** What a new second factor brings. Both are null where it is not the first. */
interface Enrolment {
  readonly backup_codes: string[] | null;
  /** The session's new token, for its cookie. */
  readonly token: string | null;
}

/**
 * A second factor was set up. The first one completes this sign-in and brings backup codes; every other session of the
 * person has to give it.
 */
export async function recordEnrolment(
  request: FastifyRequest,
  transaction: PeopleTransaction,
  detail: { readonly type: 'totp' | 'passkey'; readonly name?: string },
): Promise<Enrolment> {
  await auditAccount(transaction, request.actor, request.person.id, {
    action: 'person.second_factor_added',
    detail,
  });
  if (request.session!.secondFactorGiven) return { backup_codes: null, token: null };
  const token = await raiseSession(request, transaction);
  return { backup_codes: await renewBackupCodes(transaction, request.person.id), token };
}
