import { EndedSessions } from '../../../contract/dashboard/session.ts';
import { closed } from '../../../contract/values.ts';
import type { Api } from '../../../http/api.ts';
import { auditAccount } from '../../../storage/people/accounts.ts';
import { forgetDevices } from '../../../storage/people/known-devices.ts';
import { endOtherSessions } from '../../../storage/people/sessions.ts';
import { assertMayEnd, olderSessionsOnly } from '../../end-sessions.ts';
import { knownDevice } from '../../known-device.ts';
import { openTransaction } from '../../open-transaction.ts';
import type { DashboardServices } from '../../services.ts';

/** After a step-up no other browser is known any more either: a stolen session alone must not have its owner's wait for guesses. */
export function endOtherSessionsRoute(app: Api, services: DashboardServices): void {
  const schema = { body: closed({}), response: { 200: EndedSessions } };
  const config = {
    access: 'enrolment',
    stepUp: { notNeeded: olderSessionsOnly },
  } as const;
  app.post('/dashboard/api/account/sessions/end-others', { config, schema }, async request => {
    const { id } = request.person;
    const device = await knownDevice(request, services, id);
    const ended = await openTransaction(request, request.people, async transaction => {
      await assertMayEnd(request, transaction, null);
      if (request.session!.steppedUpUntil) await forgetDevices(transaction, id, device);
      const count = await endOtherSessions(transaction, id, request.session!.id);
      if (count === 0) return count;
      await auditAccount(transaction, request.actor, id, {
        action: 'person.other_sessions_ended',
        detail: { sessions: count },
      });
      return count;
    });
    return { ended };
  });
}
