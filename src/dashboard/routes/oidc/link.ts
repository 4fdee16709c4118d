import { LinkedIdentities, LinkToken } from '../../../contract/dashboard/session.ts';
import { Refusal } from '../../../domain/refusal.ts';
import type { App } from '../../../http/app.ts';
import { foldEmail } from '../../../resources/people/accounts.ts';
import { linkIdentity, listIdentities } from '../../../resources/people/identities.ts';
import { takePendingIdentity } from '../../../resources/people/pending-identities.ts';
import type { DashboardServices } from '../../services.ts';
import { knowDevice } from '../../sign-in/known-device.ts';
import { renewingTransaction } from '../../sign-in/open-session.ts';

/**
 * Links the identity that the provider has just verified to the signed-in account, whose owner has proven both. The browser
 * may have changed users in the meantime: an identity from a sign-in is linked only to the account with its address, and one
 * from a link request only in the same session.
 */
export function linkIdentityRoute(app: App, services: DashboardServices): void {
  const schema = { body: LinkToken, response: { 200: LinkedIdentities } };
  const config = { access: 'person', stepUp: true } as const;
  app.post('/dashboard/api/oidc/link', { config, schema }, async (request, reply) => {
    const { id, email } = request.person;
    const { id: sessionId } = request.session!;
    const identities = await renewingTransaction(
      request,
      reply,
      services,
      async transaction => {
        const identity = await takePendingIdentity(transaction, request.body.token, sessionId, [
          'sign_in',
          'link',
        ]);
        const isOwn = identity.email !== null && foldEmail(identity.email) === foldEmail(email);
        if (identity.purpose === 'sign_in' && !isOwn) throw new Refusal('link_invalid');
        await linkIdentity(transaction, identity, {
          personId: id,
          sessionId,
          actor: request.actor,
        });
        return listIdentities(transaction, id);
      },
      { endsOthers: false },
    );
    await knowDevice(request, reply, services, id);
    return { identities };
  });
}
