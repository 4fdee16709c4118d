import { Enrolled, RegisterPasskey } from '../../../contract/dashboard/session.ts';
import { Refusal } from '../../../domain/refusal.ts';
import type { App } from '../../../http/app.ts';
import { assertRoomForPasskey, insertPasskey } from '../../../resources/people/passkeys.ts';
import type { DashboardServices } from '../../services.ts';
import { enrol } from '../../sign-in/enrol.ts';
import { verifyRegistration } from '../../sign-in/webauthn.ts';

export function addPasskeyRoute(app: App, services: DashboardServices): void {
  const schema = { body: RegisterPasskey, response: { 200: Enrolled } };
  const config = { access: 'enrolment', stepUp: true } as const;
  app.post('/dashboard/api/account/passkeys', { config, schema }, async (request, reply) => {
    const { name, response } = request.body;
    const passkey = await verifyRegistration(request, services, response);
    const detail = { type: 'passkey', name } as const;
    const backup_codes = await enrol(request, reply, services, detail, async transaction => {
      await assertRoomForPasskey(transaction, request.person.id);
      const added = await insertPasskey(transaction, request.person.id, { ...passkey, name });
      if (!added) throw new Refusal('passkey_refused');
    });
    return { backup_codes };
  });
}
