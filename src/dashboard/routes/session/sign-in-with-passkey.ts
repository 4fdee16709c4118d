import { PasskeySignIn, Session } from '../../../contract/dashboard/session.ts';
import { Refusal } from '../../../domain/refusal.ts';
import type { App } from '../../../http/app.ts';
import { auditAccount, lockAccount } from '../../../resources/people/accounts.ts';
import { findPasskey } from '../../../resources/people/passkeys.ts';
import { challengeToken, clearChallengeCookie } from '../../cookies.ts';
import { personActor } from '../../person-actor.ts';
import type { DashboardServices } from '../../services.ts';
import { answerSession, openSession } from '../../sign-in/open-session.ts';
import { personOfPasskey } from '../../sign-in/passkey-sign-in.ts';

/** Signs in with a passkey. With user verification it counts as both factors: possession, and knowledge or biometrics. */
export function signInWithPasskeyRoute(app: App, services: DashboardServices): void {
  const schema = { body: PasskeySignIn, response: { 200: Session } };
  const config = { access: 'anyone', stepUp: { notNeeded: 'Requires a passkey, and no session.' } } as const;
  app.post('/dashboard/api/sign-in/passkey', { config, schema }, async (request, reply) => {
    const { people } = request;
    const challenge = challengeToken(request, services);
    clearChallengeCookie(reply, services);
    const personId = await personOfPasskey(request, services, challenge, request.body.response);
    const token = await people.transaction(
      async transaction => {
        await lockAccount(transaction, personId);
        // The passkey may have been removed, and all sessions ended, during verification.
        const passkey = await findPasskey(transaction, request.body.response.id);
        if (passkey?.personId !== personId) throw new Refusal('passkey_refused');
        await auditAccount(transaction, personActor(request, personId), personId, {
          action: 'person.signed_in',
          detail: { passkey: true },
        });
        return openSession(request, transaction, personId, 'both factors');
      },
      { personId },
    );
    return answerSession(request, reply, services, token);
  });
}
