import { EndedSessions } from '../../../contract/dashboard/session.ts';
import { closed } from '../../../contract/values.ts';
import type { Api } from '../../../http/api.ts';
import { auditAccount } from '../../../storage/people/accounts.ts';
import { endOtherSessions } from '../../../storage/people/sessions.ts';
import { assertMayEnd, olderSessionsOnly } from '../../end-sessions.ts';
import { openTransaction } from '../../open-transaction.ts';

export function endOtherSessionsRoute(app: Api): void {
  const schema = { body: closed({}), response: { 200: EndedSessions } };
  const config = {
    access: 'enrolment',
    stepUp: { notNeeded: olderSessionsOnly },
  } as const;
  app.post('/dashboard/api/account/sessions/end-others', { config, schema }, async request => {
    const { id } = request.person;
    const ended = await openTransaction(request, request.people, async transaction => {
      await assertMayEnd(request, transaction, null);
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
