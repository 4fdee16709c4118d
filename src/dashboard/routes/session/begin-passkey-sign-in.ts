import { PasskeyOptions } from '../../../contract/dashboard/session.ts';
import { closed } from '../../../contract/values.ts';
import type { App } from '../../../http/app.ts';
import { setChallengeCookie } from '../../cookies.ts';
import type { DashboardServices } from '../../services.ts';
import { beginPasskeySignIn } from '../../sign-in/passkey-sign-in.ts';

/** The challenge for a passkey of whoever is there. It is kept in the browser alone. */
export function beginPasskeySignInRoute(app: App, services: DashboardServices): void {
  const schema = { body: closed({}), response: { 200: PasskeyOptions } };
  const notNeeded = 'Gives a challenge, which leads nowhere without the passkey.';
  const config = { access: 'anyone', stepUp: { notNeeded } } as const;
  app.post('/dashboard/api/sign-in/passkey/options', { config, schema }, async (request, reply) => {
    const { options, challenge } = await beginPasskeySignIn(request, services);
    setChallengeCookie(reply, services, challenge);
    return { options };
  });
}
