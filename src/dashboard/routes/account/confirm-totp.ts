import { ConfirmTotp, Enrolled } from '../../../contract/dashboard/session.ts';
import { Refusal } from '../../../domain/refusal.ts';
import type { App } from '../../../http/app.ts';
import { countAttempt, forgetAttempts, inSession } from '../../../resources/people/sign-in-attempts.ts';
import { confirmTotp } from '../../../resources/people/totp.ts';
import type { DashboardServices } from '../../services.ts';
import { enrol } from '../../sign-in/enrol.ts';

/** Activates the new TOTP secret with its first code. */
export function confirmTotpRoute(app: App, services: DashboardServices): void {
  const schema = { body: ConfirmTotp, response: { 200: Enrolled } };
  const config = { access: 'enrolment', stepUp: true } as const;
  app.post('/dashboard/api/account/totp/confirm', { config, schema }, async (request, reply) => {
    const { people } = request;
    const { keyRing } = services.storage;
    const attempts = [inSession('totp', request.session!.id)];
    await countAttempt(people, attempts);
    const backup_codes = await enrol(request, reply, services, { type: 'totp' }, async transaction => {
      if (!(await confirmTotp(transaction, keyRing, request.person.id, request.body.code))) {
        throw new Refusal('second_factor_failed');
      }
    });
    // The backup codes are shown only once, so later failures must not withhold them.
    await forgetAttempts(people, attempts).catch(error =>
      request.log.warn({ err: error }, 'attempts.not_reset'),
    );
    return { backup_codes };
  });
}
