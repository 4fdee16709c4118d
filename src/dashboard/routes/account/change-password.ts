import { ChangePassword, EndedSessions } from '../../../contract/dashboard/session.ts';
import { Refusal } from '../../../domain/refusal.ts';
import type { Api } from '../../../http/api.ts';
import { auditAccount, findAccountById, setPassword } from '../../../storage/people/accounts.ts';
import { endOtherSessions } from '../../../storage/people/sessions.ts';
import { countAttempt, forgetAttempts, inSession } from '../../../storage/people/sign-in-attempts.ts';
import { knowDevice } from '../../known-device.ts';
import { openTransaction } from '../../open-transaction.ts';
import { passwordQueue } from '../../password-queue.ts';
import { assertStrongPassword, hashPassword, isPassword } from '../../passwords.ts';
import type { DashboardServices } from '../../services.ts';

/** Ends every other session: whoever is there has to know the new one. */
export function changePasswordRoute(app: Api, services: DashboardServices): void {
  const schema = { body: ChangePassword, response: { 200: EndedSessions } };
  const config = { access: 'person', stepUp: true } as const;
  app.post('/dashboard/api/account/password', { config, schema }, async (request, reply) => {
    const { people } = request;
    const { id, email, name } = request.person;
    const attempts = [inSession('password', request.session!.id)];
    const place = { line: 'first', holder: id } as const;
    await countAttempt(people, attempts);
    const account = await findAccountById(people, id);
    const isRight = () => isPassword(request.body.current_password, account?.passwordHash);
    if (!(await passwordQueue.run(place, isRight))) throw new Refusal('password_wrong');
    await forgetAttempts(people, attempts);
    await assertStrongPassword(request.body.password, [email, name], place);
    const passwordHash = await passwordQueue.run(place, () => hashPassword(request.body.password));
    const ended = await openTransaction(request, people, async transaction => {
      await setPassword(transaction, id, passwordHash);
      await auditAccount(transaction, request.actor, id, { action: 'person.password_changed' });
      return endOtherSessions(transaction, id, request.session!.id);
    });
    await knowDevice(request, reply, services, id);
    return { ended };
  });
}
