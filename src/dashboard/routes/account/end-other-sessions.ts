import { EndedSessions } from '../../../contract/dashboard/session.ts';
import { closed } from '../../../contract/values.ts';
import type { App } from '../../../http/app.ts';
import { auditAccount } from '../../../resources/people/accounts.ts';
import { forgetDevices } from '../../../resources/people/known-devices.ts';
import { endOtherSessions } from '../../../resources/people/sessions.ts';
import { setSessionCookie } from '../../cookies.ts';
import { openTransaction } from '../../open-transaction.ts';
import type { DashboardServices } from '../../services.ts';
import { assertMayEnd, olderSessionsOnly } from '../../sign-in/end-sessions.ts';
import { knownDevice } from '../../sign-in/known-device.ts';
import { renewSession } from '../../sign-in/open-session.ts';

/**
 * After a step-up, copies of this session also end and all known browsers are forgotten. A stolen session alone must not be
 * able to sign its owner out, or to subject their browsers to guess limits.
 */
export function endOtherSessionsRoute(app: App, services: DashboardServices): void {
  const schema = { body: closed({}), response: { 200: EndedSessions } };
  const config = {
    access: 'enrolment',
    stepUp: { notNeeded: olderSessionsOnly },
  } as const;
  app.post('/dashboard/api/account/sessions/end-others', { config, schema }, async (request, reply) => {
    const { id } = request.person;
    const device = await knownDevice(request, services, id);
    const { ended, token } = await openTransaction(request, request.people, async transaction => {
      await assertMayEnd(request, transaction, null);
      const isOwner = request.session!.steppedUpUntil !== null;
      if (isOwner) await forgetDevices(transaction, id, device);
      const ended = await endOtherSessions(transaction, id, request.session!.id);
      if (ended > 0) {
        await auditAccount(transaction, request.actor, id, {
          action: 'person.other_sessions_ended',
          detail: { sessions: ended },
        });
      }
      return { ended, token: isOwner ? await renewSession(request, transaction) : null };
    });
    if (token !== null) setSessionCookie(reply, services, token);
    return { ended };
  });
}
