import { LinkToken, Session } from '../../../contract/dashboard/session.ts';
import { Refusal } from '../../../domain/refusal.ts';
import type { App } from '../../../http/app.ts';
import { auditAccount } from '../../../resources/people/accounts.ts';
import { personOfIdentity } from '../../../resources/people/identities.ts';
import { takePendingIdentity } from '../../../resources/people/pending-identities.ts';
import type { DashboardServices } from '../../services.ts';
import { stepUpWays } from '../../sign-in/describe-session.ts';
import { answerSession, stepUpSession } from '../../sign-in/open-session.ts';

/** Step-up by a new sign-in at the provider, for people with neither a second factor nor a password. */
export function stepUpByProviderRoute(app: App, services: DashboardServices): void {
  const schema = { body: LinkToken, response: { 200: Session } };
  const config = { access: 'enrolment', stepUp: { notNeeded: 'Is itself the step-up.' } } as const;
  app.post('/dashboard/api/oidc/step-up', { config, schema }, async (request, reply) => {
    const { people, session } = request;
    const { id: sessionId } = session!;
    if (!stepUpWays(session!, true).includes('provider')) throw new Refusal('step_up_required');
    // Spent in any case.
    const identity = await takePendingIdentity(people, request.body.token, sessionId, ['step_up']);
    const token = await people.transaction(async transaction => {
      const personId = await personOfIdentity(transaction, identity);
      if (personId !== request.person.id) throw new Refusal('reauthentication_failed');
      await auditAccount(transaction, request.actor, personId, {
        action: 'person.stepped_up',
        detail: { provider: identity.issuer },
      });
      return stepUpSession(request, transaction);
    });
    return answerSession(request, reply, services, token);
  });
}
