import { ChangeName, Session } from '../../../contract/dashboard/session.ts';
import type { App } from '../../../http/app.ts';
import { auditAccount, renameAccount } from '../../../resources/people/accounts.ts';
import { openTransaction } from '../../open-transaction.ts';
import type { DashboardServices } from '../../services.ts';
import { describeSession } from '../../sign-in/describe-session.ts';

export function renameAccountRoute(app: App, services: DashboardServices): void {
  const schema = { body: ChangeName, response: { 200: Session } };
  const config = { access: 'person', stepUp: true } as const;
  app.patch('/dashboard/api/account', { config, schema }, async request => {
    const { id } = request.person;
    await openTransaction(request, request.people, async (transaction, account) => {
      await renameAccount(transaction, id, request.body.name);
      await auditAccount(transaction, request.actor, id, {
        action: 'person.renamed',
        detail: { from: account.name, to: request.body.name },
      });
    });
    return describeSession(request, services, request.sessionToken);
  });
}
