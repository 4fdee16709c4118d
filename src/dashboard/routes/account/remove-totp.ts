import { AccountSecondFactors } from '../../../contract/dashboard/session.ts';
import { assertFound } from '../../../http/answers.ts';
import type { App } from '../../../http/app.ts';
import { removeTotp } from '../../../resources/people/totp.ts';
import type { DashboardServices } from '../../services.ts';
import { keepSecondFactor } from '../../sign-in/keep-second-factor.ts';
import { renewingTransaction } from '../../sign-in/open-session.ts';

export function removeTotpRoute(app: App, services: DashboardServices): void {
  const schema = { response: { 200: AccountSecondFactors } };
  const config = { access: 'person', stepUp: true } as const;
  app.delete('/dashboard/api/account/totp', { config, schema }, async (request, reply) => {
    await renewingTransaction(request, reply, services, async transaction => {
      assertFound(await removeTotp(transaction, request.person.id));
      await keepSecondFactor(request, transaction, { type: 'totp' });
    });
    return { totp_set_up_at: null };
  });
}
