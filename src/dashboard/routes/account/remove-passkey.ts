import { AccountPasskeys } from '../../../contract/dashboard/session.ts';
import { assertFound, IdParams, objectId } from '../../../http/answers.ts';
import type { App } from '../../../http/app.ts';
import { listPasskeys, removePasskey } from '../../../resources/people/passkeys.ts';
import type { DashboardServices } from '../../services.ts';
import { keepSecondFactor } from '../../sign-in/keep-second-factor.ts';
import { renewingTransaction } from '../../sign-in/open-session.ts';

export function removePasskeyRoute(app: App, services: DashboardServices): void {
  const schema = { params: IdParams, response: { 200: AccountPasskeys } };
  const config = { access: 'person', stepUp: true } as const;
  app.delete('/dashboard/api/account/passkeys/:id', { config, schema }, async (request, reply) => {
    const { id } = request.person;
    return renewingTransaction(request, reply, services, async transaction => {
      assertFound(await removePasskey(transaction, id, objectId(request.params)));
      await keepSecondFactor(request, transaction, { type: 'passkey' });
      return { passkeys: await listPasskeys(transaction, id) };
    });
  });
}
