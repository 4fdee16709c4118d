import { PendingIdentity } from '../../../contract/dashboard/session.ts';
import { Refusal } from '../../../domain/refusal.ts';
import type { Api } from '../../../http/api.ts';
import { findAccount } from '../../../storage/people/accounts.ts';
import { findPendingIdentity } from '../../../storage/people/pending-identities.ts';
import { identityToken } from '../../cookies.ts';
import type { DashboardServices } from '../../services.ts';

/** Whom the provider has vouched for in this browser, and what may come of it. */
export function readPendingIdentityRoute(app: Api, services: DashboardServices): void {
  const schema = { response: { 200: PendingIdentity } };
  app.get('/dashboard/api/oidc/pending', { config: { access: 'anyone' }, schema }, async request => {
    const { people, unproven, session } = request;
    const token = identityToken(request, services);
    const pending =
      token === undefined ? undefined : await findPendingIdentity(unproven, token, session?.id ?? null);
    if (!pending) throw new Refusal('link_invalid');
    const { purpose, email } = pending;
    const account = purpose === 'sign_in' && email !== null ? await findAccount(people, email) : undefined;
    return { purpose, email, claimable: account !== undefined && !account.emailVerified };
  });
}
