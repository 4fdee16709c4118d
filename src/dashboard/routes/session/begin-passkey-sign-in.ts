import { PasskeyOptions } from '../../../contract/dashboard/session.ts';
import { closed } from '../../../contract/values.ts';
import type { App } from '../../../http/app.ts';
import { setChallengeCookie } from '../../cookies.ts';
import type { DashboardServices } from '../../services.ts';
import { beginPasskeySignIn } from '../../sign-in/passkey-sign-in.ts';

/** Creates a passkey challenge for an unknown person. It is stored only in the browser. */
export function beginPasskeySignInRoute(app: App, services: DashboardServices): void {
  const schema = { body: closed({}), response: { 200: PasskeyOptions } };
  const notNeeded = 'Returns a challenge, which is useless without the passkey.';
  const config = { access: 'anyone', stepUp: { notNeeded } } as const;
  app.post('/dashboard/api/sign-in/passkey/options', { config, schema }, async (request, reply) => {
    const { options, challenge } = await beginPasskeySignIn(request, services);
    setChallengeCookie(reply, services, challenge);
    return { options };
  });
}
