import { GivePassword, Session } from '../../../contract/dashboard/session.ts';
import { Refusal } from '../../../domain/refusal.ts';
import type { App } from '../../../http/app.ts';
import { auditAccount } from '../../../resources/people/accounts.ts';
import type { DashboardServices } from '../../services.ts';
import { answerSession, stepUpSession } from '../../sign-in/open-session.ts';
import { takePassword } from '../../sign-in/take-password.ts';
import { WrongPasswords } from '../../sign-in/wrong-passwords.ts';

/** Step-up with the password, for people without a second factor. */
export function givePasswordRoute(app: App, services: DashboardServices): void {
  const schema = { body: GivePassword, response: { 200: Session } };
  const config = { access: 'enrolment', stepUp: { notNeeded: 'Is itself the step-up.' } } as const;
  const wrongPasswords = new WrongPasswords(app);
  app.post('/dashboard/api/step-up/password', { config, schema }, async (request, reply) => {
    if (request.session!.secondFactorSetUp) throw new Refusal('step_up_required');
    await takePassword(request, wrongPasswords, request.body.password);
    const token = await request.people.transaction(async transaction => {
      await auditAccount(transaction, request.actor, request.person.id, {
        action: 'person.stepped_up',
        detail: { password: true },
      });
      return stepUpSession(request, transaction);
    });
    return answerSession(request, reply, services, token);
  });
}
