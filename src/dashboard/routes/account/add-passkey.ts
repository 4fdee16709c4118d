import { Enrolled, RegisterPasskey } from '../../../contract/dashboard/session.ts';
import { Refusal } from '../../../domain/refusal.ts';
import type { Api } from '../../../http/api.ts';
import { assertRoomForPasskey, insertPasskey } from '../../../storage/people/passkeys.ts';
import { setSessionCookie } from '../../cookies.ts';
import { enrol } from '../../enrol.ts';
import { knowBrowser } from '../../open-session.ts';
import type { DashboardServices } from '../../services.ts';
import { verifyRegistration } from '../../webauthn.ts';

export function addPasskeyRoute(app: Api, services: DashboardServices): void {
  const schema = { body: RegisterPasskey, response: { 200: Enrolled } };
  const config = { access: 'enrolment', stepUp: true } as const;
  app.post('/dashboard/api/account/passkeys', { config, schema }, async (request, reply) => {
    const { name, response } = request.body;
    const passkey = await verifyRegistration(request, services, response);
    const { backup_codes, token } = await enrol(request, { type: 'passkey', name }, async transaction => {
      await assertRoomForPasskey(transaction, request.person.id);
      const added = await insertPasskey(transaction, request.person.id, { ...passkey, name });
      if (!added) throw new Refusal('passkey_refused');
    });
    if (token) {
      setSessionCookie(reply, services, token);
      await knowBrowser(request, reply, services, request.person.id);
    }
    return { backup_codes };
  });
}
