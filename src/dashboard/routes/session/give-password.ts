import { GivePassword, Session } from '../../../contract/dashboard/session.ts';
import { Refusal } from '../../../domain/refusal.ts';
import type { Api } from '../../../http/api.ts';
import { auditAccount, findAccountById } from '../../../storage/people/accounts.ts';
import { countAttempt, forgetAttempts, inSession } from '../../../storage/people/sign-in-attempts.ts';
import { answerSession, stepUpSession } from '../../open-session.ts';
import { passwordQueue } from '../../password-queue.ts';
import { isPassword } from '../../passwords.ts';
import type { DashboardServices } from '../../services.ts';

/** A step-up by the password, of who has no second factor. */
export function givePasswordRoute(app: Api, services: DashboardServices): void {
  const schema = { body: GivePassword, response: { 200: Session } };
  const config = { access: 'enrolment', stepUp: { notNeeded: 'Is itself the step-up.' } } as const;
  app.post('/dashboard/api/step-up/password', { config, schema }, async (request, reply) => {
    if (request.session!.secondFactorSetUp) throw new Refusal('step_up_required');
    const { people } = request;
    const attempts = [inSession('password', request.session!.id)];
    await countAttempt(people, attempts);
    const account = await findAccountById(people, request.person.id);
    const place = { line: 'first', holder: request.person.id } as const;
    const isRight = () => isPassword(request.body.password, account?.passwordHash);
    if (!(await passwordQueue.run(place, isRight))) throw new Refusal('password_wrong');
    await forgetAttempts(people, attempts);
    const token = await people.transaction(async transaction => {
      await auditAccount(transaction, request.actor, request.person.id, {
        action: 'person.stepped_up',
        detail: { password: true },
      });
      return stepUpSession(request, transaction);
    });
    return answerSession(request, reply, services, token);
  });
}
