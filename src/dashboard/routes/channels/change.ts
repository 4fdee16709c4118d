import { ChangeChannel, ChannelEnvelope } from '../../../contract/dashboard/notifications.ts';
import { found, IdParams, objectId } from '../../../http/answers.ts';
import type { App } from '../../../http/app.ts';
import { changeChannel } from '../../../resources/notifications/channels.ts';
import { organizationPath } from '../../organization-path.ts';
import type { DashboardServices } from '../../services.ts';

export function changeChannelRoute(app: App, { storage }: DashboardServices): void {
  const schema = { params: IdParams, body: ChangeChannel, response: { 200: ChannelEnvelope } };
  const config = { access: 'admin', stepUp: true } as const;
  app.put(`${organizationPath}/channels/:id`, { config, schema }, async request => {
    const id = objectId(request.params);
    const channel = await request.store.transaction(transaction =>
      changeChannel(transaction, storage.keyRing, id, request.body),
    );
    return { channel: found(channel) };
  });
}
