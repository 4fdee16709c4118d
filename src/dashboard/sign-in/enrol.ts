import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PeopleTransaction } from '../../database/people-store.ts';
import { Refusal } from '../../domain/refusal.ts';
import { auditAccount } from '../../resources/people/accounts.ts';
import { renewBackupCodes } from '../../resources/people/backup-codes.ts';
import { forgetDevices } from '../../resources/people/known-devices.ts';
import { hasSecondFactor } from '../../resources/people/second-factors.ts';
import { endOtherSessions } from '../../resources/people/sessions.ts';
import { setSessionCookie } from '../cookies.ts';
import { openTransaction } from '../open-transaction.ts';
import type { DashboardServices } from '../services.ts';
import { knowBrowser, raiseSession, renewSession } from './open-session.ts';

/**
 * Sets up a second factor and renews the session token. The first factor, or the first after all were removed, completes the
 * sign-in and returns backup codes. Ends all other sessions of the person. Throws `second_factor_required` if another session
 * set up the first factor in the meantime.
 *
 * @param add stores the factor, in the same transaction
 */
export async function enrol(
  request: FastifyRequest,
  reply: FastifyReply,
  services: DashboardServices,
  detail: { readonly type: 'totp' | 'passkey'; readonly name?: string },
  add: (transaction: PeopleTransaction) => Promise<void>,
): Promise<string[] | null> {
  const { id } = request.person;
  const { codes, token } = await openTransaction(request, request.people, async transaction => {
    const isFirst = !(await hasSecondFactor(transaction, id));
    if (!isFirst && !request.session!.secondFactorGiven) throw new Refusal('second_factor_required');
    await add(transaction);
    await auditAccount(transaction, request.actor, id, { action: 'person.second_factor_added', detail });
    await endOtherSessions(transaction, id, request.session!.id);
    if (!isFirst) return { codes: null, token: await renewSession(request, transaction) };
    // A browser that is known by the password alone may belong to someone who knows only the password.
    await forgetDevices(transaction, id);
    const token = await raiseSession(request, transaction);
    return { codes: await renewBackupCodes(transaction, id), token };
  });
  setSessionCookie(reply, services, token);
  if (codes) await knowBrowser(request, reply, services, id);
  return codes;
}
