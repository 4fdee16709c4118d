import { PasskeyOptions } from '../../../contract/dashboard/session.ts';
import { closed } from '../../../contract/values.ts';
import type { App } from '../../../http/app.ts';
import type { DashboardServices } from '../../services.ts';
import { passkeyRegistration } from '../../sign-in/webauthn.ts';

export function beginPasskeyRoute(app: App, services: DashboardServices): void {
  const schema = { body: closed({}), response: { 200: PasskeyOptions } };
  const config = { access: 'enrolment', stepUp: true } as const;
  app.post('/dashboard/api/account/passkeys/options', { config, schema }, async request => ({
    options: await passkeyRegistration(request, services),
  }));
}
