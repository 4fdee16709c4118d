import { Session } from '../../../contract/dashboard/session.ts';
import { closed } from '../../../contract/values.ts';
import type { App } from '../../../http/app.ts';
import { auditAccount } from '../../../resources/people/accounts.ts';
import { endSession } from '../../../resources/people/sessions.ts';
import { clearSessionCookie } from '../../cookies.ts';
import type { DashboardServices } from '../../services.ts';
import { describeSession } from '../../sign-in/describe-session.ts';

export function signOutRoute(app: App, services: DashboardServices): void {
  const schema = { body: closed({}), response: { 200: Session } };
  const config = {
    access: 'session',
    stepUp: { notNeeded: 'Ends the session.' },
    uncounted: 'Works once per session, and a thief must not be able to block it by using up the limits.',
  } as const;
  app.post('/dashboard/api/sign-out', { config, schema }, async (request, reply) => {
    const { id, personId } = request.session!;
    await request.people.transaction(async transaction => {
      if (!(await endSession(transaction, personId, id))) return;
      await auditAccount(transaction, request.actor, personId, { action: 'person.signed_out' });
    });
    clearSessionCookie(reply, services);
    return describeSession(request, services, undefined);
  });
}
