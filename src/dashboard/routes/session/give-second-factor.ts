import { SecondFactor, Session } from '../../../contract/dashboard/session.ts';
import type { App } from '../../../http/app.ts';
import { auditAccount } from '../../../resources/people/accounts.ts';
import type { DashboardServices } from '../../services.ts';
import { answerSession, raiseSession, stepUpSession } from '../../sign-in/open-session.ts';
import { takeSecondFactor } from '../../sign-in/second-factor.ts';

/**
 * Completes a sign-in with the second factor. For signed-in people it is a step-up. Both are valid for five minutes on this
 * session, under a new token.
 */
export function giveSecondFactorRoute(app: App, services: DashboardServices): void {
  const schema = { body: SecondFactor, response: { 200: Session } };
  const config = { access: 'session', stepUp: { notNeeded: 'Is itself the step-up.' } } as const;
  app.post('/dashboard/api/second-factor', { config, schema }, async (request, reply) => {
    const session = request.session!;
    await takeSecondFactor(request, services, request.body);
    const token = await request.people.transaction(async transaction => {
      await auditAccount(transaction, request.actor, session.personId, {
        action: session.secondFactorGiven ? 'person.stepped_up' : 'person.signed_in',
        detail: { second_factor: request.body.type },
      });
      return session.secondFactorGiven
        ? stepUpSession(request, transaction)
        : raiseSession(request, transaction);
    });
    return answerSession(request, reply, services, token);
  });
}
