import { LinkToken, PendingIdentity } from '../../../contract/dashboard/session.ts';
import { Refusal } from '../../../domain/refusal.ts';
import type { App } from '../../../http/app.ts';
import { findAccount } from '../../../resources/people/accounts.ts';
import { findPendingIdentity } from '../../../resources/people/pending-identities.ts';

/** The identity that the provider has verified, and the available actions. */
export function readPendingIdentityRoute(app: App): void {
  const schema = { body: LinkToken, response: { 200: PendingIdentity } };
  const config = { access: 'anyone', stepUp: { notNeeded: 'Changes nothing.' } } as const;
  app.post('/dashboard/api/oidc/pending', { config, schema }, async request => {
    const { people, unproven, session } = request;
    const pending = await findPendingIdentity(unproven, request.body.token, session?.id ?? null);
    if (!pending) throw new Refusal('link_invalid');
    const { purpose, email } = pending;
    const account = purpose === 'sign_in' && email !== null ? await findAccount(people, email) : undefined;
    return { purpose, email, claimable: account !== undefined && !account.emailVerified };
  });
}
