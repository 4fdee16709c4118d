import { AccountPasskeys, RenamePasskey } from '../../../contract/dashboard/session.ts';
import { assertFound, IdParams, objectId } from '../../../http/answers.ts';
import type { App } from '../../../http/app.ts';
import { auditAccount } from '../../../resources/people/accounts.ts';
import { listPasskeys, renamePasskey } from '../../../resources/people/passkeys.ts';
import { openTransaction } from '../../open-transaction.ts';

export function renamePasskeyRoute(app: App): void {
  const schema = { params: IdParams, body: RenamePasskey, response: { 200: AccountPasskeys } };
  const config = { access: 'person', stepUp: true } as const;
  app.patch('/dashboard/api/account/passkeys/:id', { config, schema }, async request => {
    const { people, actor } = request;
    const { id } = request.person;
    const passkeyId = objectId(request.params);
    const { name } = request.body;
    await openTransaction(request, people, async transaction => {
      assertFound(await renamePasskey(transaction, id, passkeyId, name));
      await auditAccount(transaction, actor, id, {
        action: 'person.passkey_renamed',
        detail: { passkey: passkeyId, to: name },
      });
    });
    return { passkeys: await listPasskeys(people, id) };
  });
}
