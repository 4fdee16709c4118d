import { LinkedIdentities } from '../../../contract/dashboard/session.ts';
import { closed } from '../../../contract/values.ts';
import type { Api } from '../../../http/api.ts';
import { linkIdentity, listIdentities } from '../../../storage/people/identities.ts';
import { takePendingIdentity } from '../../../storage/people/pending-identities.ts';
import { clearIdentityCookie, identityToken } from '../../cookies.ts';
import { knowDevice } from '../../known-device.ts';
import { openTransaction } from '../../open-transaction.ts';
import type { DashboardServices } from '../../services.ts';

/** Links whom the provider has just vouched for to the account that is signed in: its owner has proved both. */
export function linkIdentityRoute(app: Api, services: DashboardServices): void {
  const schema = { body: closed({}), response: { 200: LinkedIdentities } };
  const config = { access: 'person', stepUp: true } as const;
  app.post('/dashboard/api/oidc/link', { config, schema }, async (request, reply) => {
    const { id } = request.person;
    const identities = await openTransaction(request, request.people, async transaction => {
      const token = identityToken(request, services);
      const identity = await takePendingIdentity(transaction, token, ['sign_in', 'link']);
      await linkIdentity(transaction, identity, {
        personId: id,
        sessionId: request.session!.id,
        actor: request.actor,
      });
      return listIdentities(transaction, id);
    });
    clearIdentityCookie(reply, services);
    await knowDevice(request, reply, services, id);
    return { identities };
  });
}
