import { EndedSessions } from '../../../contract/dashboard/session.ts';
import { assertFound, IdParams, objectId } from '../../../http/answers.ts';
import type { App } from '../../../http/app.ts';
import { auditAccount } from '../../../resources/people/accounts.ts';
import { endSession } from '../../../resources/people/sessions.ts';
import { openTransaction } from '../../open-transaction.ts';
import { assertMayEnd, olderSessionsOnly } from '../../sign-in/end-sessions.ts';

export function endSessionRoute(app: App): void {
  const schema = { params: IdParams, response: { 200: EndedSessions } };
  const config = {
    access: 'enrolment',
    stepUp: { notNeeded: olderSessionsOnly },
  } as const;
  app.delete('/dashboard/api/account/sessions/:id', { config, schema }, async request => {
    const { id } = request.person;
    const sessionId = objectId(request.params);
    await openTransaction(request, request.people, async transaction => {
      await assertMayEnd(request, transaction, sessionId);
      assertFound(await endSession(transaction, id, sessionId));
      await auditAccount(transaction, request.actor, id, {
        action: 'person.session_ended',
        detail: { session: sessionId },
      });
    });
    return { ended: 1 };
  });
}
