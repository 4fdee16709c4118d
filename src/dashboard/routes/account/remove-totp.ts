import { AccountSecondFactors } from '../../../contract/dashboard/session.ts';
import { assertFound } from '../../../http/answers.ts';
import type { Api } from '../../../http/api.ts';
import { removeTotp } from '../../../storage/people/totp.ts';
import { keepSecondFactor } from '../../keep-second-factor.ts';
import { renewingTransaction } from '../../open-session.ts';
import type { DashboardServices } from '../../services.ts';

export function removeTotpRoute(app: Api, services: DashboardServices): void {
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
