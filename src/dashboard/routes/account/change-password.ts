import { ChangePassword, EndedSessions } from '../../../contract/dashboard/session.ts';
import type { PeopleTransaction } from '../../../database/people-store.ts';
import type { App } from '../../../http/app.ts';
import { auditAccount, setPassword } from '../../../resources/people/accounts.ts';
import { endOtherSessions } from '../../../resources/people/sessions.ts';
import type { DashboardServices } from '../../services.ts';
import { knowDevice } from '../../sign-in/known-device.ts';
import { renewingTransaction } from '../../sign-in/open-session.ts';
import { passwordQueue } from '../../sign-in/password-queue.ts';
import { assertStrongPassword, hashPassword } from '../../sign-in/passwords.ts';
import { takePassword } from '../../sign-in/take-password.ts';
import { WrongPasswords } from '../../sign-in/wrong-passwords.ts';

/** Ends all other sessions and invalidates copies of this one. Signing in again requires the new password. */
export function changePasswordRoute(app: App, services: DashboardServices): void {
  const schema = { body: ChangePassword, response: { 200: EndedSessions } };
  const config = { access: 'person', stepUp: true } as const;
  const wrongPasswords = new WrongPasswords(app);
  app.post('/dashboard/api/account/password', { config, schema }, async (request, reply) => {
    const { id, email, name } = request.person;
    await takePassword(request, wrongPasswords, request.body.current_password);
    const place = { line: 'first', holder: id } as const;
    await assertStrongPassword(request.body.password, [email, name], place);
    const passwordHash = await passwordQueue.run(place, () => hashPassword(request.body.password));
    const change = async (transaction: PeopleTransaction) => {
      await setPassword(transaction, id, passwordHash);
      await auditAccount(transaction, request.actor, id, { action: 'person.password_changed' });
      return endOtherSessions(transaction, id, request.session!.id);
    };
    const ended = await renewingTransaction(request, reply, services, change, { endsOthers: false });
    await knowDevice(request, reply, services, id);
    return { ended };
  });
}
