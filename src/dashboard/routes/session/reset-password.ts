import { ResetPassword, Session } from '../../../contract/dashboard/session.ts';
import type { App } from '../../../http/app.ts';
import { auditAccount } from '../../../resources/people/accounts.ts';
import { previewPasswordLink } from '../../../resources/people/one-time-links.ts';
import { recoverByLink } from '../../../resources/people/recover.ts';
import { personActor } from '../../person-actor.ts';
import type { DashboardServices } from '../../services.ts';
import { answerSession, openSession } from '../../sign-in/open-session.ts';
import { passwordQueue } from '../../sign-in/password-queue.ts';
import { assertStrongPassword, hashPassword } from '../../sign-in/passwords.ts';

/** Sets a new password with a link from the operator. It replaces only the first factor; the second is still required. */
export function resetPasswordRoute(app: App, services: DashboardServices): void {
  const schema = { body: ResetPassword, response: { 200: Session } };
  const config = {
    access: 'anyone',
    stepUp: { notNeeded: 'Requires a one-time link from the operator, and no session.' },
  } as const;
  app.post('/dashboard/api/password-reset', { config, schema }, async (request, reply) => {
    const { people, unproven } = request;
    const { token, password } = request.body;
    const { person_id: id, email, name } = await previewPasswordLink(unproven, token);
    const place = { line: 'first', holder: id } as const;
    await assertStrongPassword(password, [email, name], place);
    const passwordHash = await passwordQueue.run(place, () => hashPassword(password));
    const opened = await people.transaction(
      async transaction => {
        await recoverByLink(transaction, { personId: id, token, passwordHash });
        const actor = personActor(request, id);
        await auditAccount(transaction, actor, id, { action: 'person.password_reset' });
        return openSession(request, transaction, id, 'password');
      },
      { personId: id },
    );
    return answerSession(request, reply, services, opened);
  });
}
