import { AccountPasskeys, RenamePasskey } from '../../../contract/dashboard/session.ts';
import { assertFound, IdParams, objectId } from '../../../http/answers.ts';
import type { Api } from '../../../http/api.ts';
import { listPasskeys, renamePasskey } from '../../../storage/people/passkeys.ts';

export function renamePasskeyRoute(app: Api): void {
  const schema = { params: IdParams, body: RenamePasskey, response: { 200: AccountPasskeys } };
  const config = { access: 'person', stepUp: true } as const;
  app.patch('/dashboard/api/account/passkeys/:id', { config, schema }, async request => {
    const { people } = request;
    const { id } = request.person;
    assertFound(await renamePasskey(people, id, objectId(request.params), request.body.name));
    return { passkeys: await listPasskeys(people, id) };
  });
}
