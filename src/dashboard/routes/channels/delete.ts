import { found, IdParams, objectId } from '../../../http/answers.ts';
import type { App } from '../../../http/app.ts';
import { deleteChannel } from '../../../resources/notifications/channels.ts';
import { organizationPath } from '../../organization-path.ts';

export function deleteChannelRoute(app: App): void {
  const schema = { params: IdParams };
  const config = { access: 'admin', stepUp: true } as const;
  app.delete(`${organizationPath}/channels/:id`, { config, schema }, async request => {
    const id = objectId(request.params);
    found((await request.store.transaction(transaction => deleteChannel(transaction, id))) || undefined);
    return {};
  });
}
