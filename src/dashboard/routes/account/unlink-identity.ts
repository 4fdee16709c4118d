import { LinkedIdentities } from '../../../contract/dashboard/session.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { assertFound, IdParams, objectId } from '../../../http/answers.ts';
import type { App } from '../../../http/app.ts';
import { auditAccount } from '../../../resources/people/accounts.ts';
import { listIdentities, unlinkIdentity } from '../../../resources/people/identities.ts';
import type { DashboardServices } from '../../services.ts';
import { renewingTransaction } from '../../sign-in/open-session.ts';

export function unlinkIdentityRoute(app: App, services: DashboardServices): void {
  const schema = { params: IdParams, response: { 200: LinkedIdentities } };
  const config = { access: 'person', stepUp: true } as const;
  app.delete('/dashboard/api/account/identities/:id', { config, schema }, async (request, reply) => {
    const { id } = request.person;
    // Sessions opened with the identity end too.
    return renewingTransaction(
      request,
      reply,
      services,
      async transaction => {
        assertFound(await unlinkIdentity(transaction, id, objectId(request.params), request.session!.id));
        const identities = await listIdentities(transaction, id);
        if (identities.length === 0 && !request.session!.hasPassword)
          throw new Refusal('last_sign_in_method');
        await auditAccount(transaction, request.actor, id, { action: 'person.identity_unlinked' });
        return { identities };
      },
      { endsOthers: false },
    );
  });
}
