import { PasskeyOptions } from '../../../contract/dashboard/session.ts';
import { closed } from '../../../contract/values.ts';
import type { App } from '../../../http/app.ts';
import type { DashboardServices } from '../../services.ts';
import { passkeyAuthentication } from '../../sign-in/webauthn.ts';

/** Creates a challenge for a passkey as the second factor. */
export function askPasskeyRoute(app: App, services: DashboardServices): void {
  const schema = { body: closed({}), response: { 200: PasskeyOptions } };
  const config = {
    access: 'session',
    stepUp: { notNeeded: 'Returns a challenge, which is useless without the passkey.' },
  } as const;
  app.post('/dashboard/api/second-factor/passkey-options', { config, schema }, async request => ({
    options: await passkeyAuthentication(request, services),
  }));
}
