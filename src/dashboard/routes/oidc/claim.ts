import { LinkToken, Session } from '../../../contract/dashboard/session.ts';
import { Refusal } from '../../../domain/refusal.ts';
import type { App } from '../../../http/app.ts';
import { findAccount } from '../../../resources/people/accounts.ts';
import { claimAddress } from '../../../resources/people/identities.ts';
import { findPendingIdentity, takePendingIdentity } from '../../../resources/people/pending-identities.ts';
import type { DashboardServices } from '../../services.ts';
import { answerSession, openSession } from '../../sign-in/open-session.ts';

/** Lets the owner of an address take it from an account that never verified it. Closes that account and creates a new one. */
export function claimAddressRoute(app: App, services: DashboardServices): void {
  const schema = { body: LinkToken, response: { 200: Session } };
  const notNeeded = 'Requires an identity that the provider has just verified, and no session.';
  const config = { access: 'anyone', stepUp: { notNeeded } } as const;
  app.post('/dashboard/api/oidc/claim', { config, schema }, async (request, reply) => {
    const { people, unproven } = request;
    const { token } = request.body;
    const pending = await findPendingIdentity(unproven, token, null);
    if (!pending) throw new Refusal('link_invalid');
    const taken = pending.email ? await findAccount(people, pending.email) : undefined;
    const opened = await people.transaction(async transaction => {
      const identity = await takePendingIdentity(transaction, token, null, ['sign_in']);
      const personId = await claimAddress(transaction, identity, request.ip);
      return openSession(request, transaction, personId, identity);
    }, taken && { personId: taken.id });
    return answerSession(request, reply, services, opened);
  });
}
