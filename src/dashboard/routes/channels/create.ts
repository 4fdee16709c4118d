import { ChannelEnvelope, CreateChannel } from '../../../contract/dashboard/notifications.ts';
import type { App } from '../../../http/app.ts';
import { createChannel } from '../../../resources/notifications/channels.ts';
import { organizationPath } from '../../organization-path.ts';
import type { DashboardServices } from '../../services.ts';

export function createChannelRoute(app: App, { storage }: DashboardServices): void {
  const schema = { body: CreateChannel, response: { 201: ChannelEnvelope } };
  const config = { access: 'admin', stepUp: true } as const;
  app.post(`${organizationPath}/channels`, { config, schema }, async (request, reply) => {
    const channel = await request.store.transaction(transaction =>
      createChannel(transaction, storage.keyRing, request.body),
    );
    return reply.code(201).send({ channel });
  });
}
