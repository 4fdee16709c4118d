import { LinkedIdentities } from '../../../contract/dashboard/session.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { assertFound, IdParams, objectId } from '../../../http/answers.ts';
import type { Api } from '../../../http/api.ts';
import { auditAccount, lockAccount } from '../../../storage/people/accounts.ts';
import { listIdentities, unlinkIdentity } from '../../../storage/people/identities.ts';

export function unlinkIdentityRoute(app: Api): void {
  const schema = { params: IdParams, response: { 200: LinkedIdentities } };
  const config = { access: 'person', stepUp: true } as const;
  app.delete('/dashboard/api/account/identities/:id', { config, schema }, async request => {
    const { id } = request.person;
    return request.people.transaction(async transaction => {
      // One at a time, so that the last two do not go at once.
      await lockAccount(transaction, id);
      assertFound(await unlinkIdentity(transaction, id, objectId(request.params), request.session!.id));
      const identities = await listIdentities(transaction, id);
      if (identities.length === 0 && !request.session!.hasPassword) throw new Refusal('last_sign_in_method');
      await auditAccount(transaction, request.actor, id, { action: 'person.identity_unlinked' });
      return { identities };
    });
  });
}
