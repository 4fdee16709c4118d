import { ChannelList } from '../../../contract/dashboard/notifications.ts';
import type { App } from '../../../http/app.ts';
import { listChannels } from '../../../resources/notifications/channels.ts';
import { organizationPath } from '../../organization-path.ts';

export function listChannelsRoute(app: App): void {
  const schema = { response: { 200: ChannelList } };
  const config = { access: 'admin' } as const;
  app.get(`${organizationPath}/channels`, { config, schema }, async request => ({
    channels: await request.store.read(listChannels),
  }));
}
