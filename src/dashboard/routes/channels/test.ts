import { SentMessageEnvelope } from '../../../contract/dashboard/notifications.ts';
import { closed } from '../../../contract/values.ts';
import { found, IdParams, objectId } from '../../../http/answers.ts';
import type { App } from '../../../http/app.ts';
import { findChannel } from '../../../resources/notifications/channels.ts';
import { addMessage } from '../../../resources/notifications/outbox.ts';
import type { ChangeLimit } from '../../../resources/people/change-counts.ts';
import { organizationPath } from '../../organization-path.ts';
import type { DashboardServices } from '../../services.ts';

const tests: ChangeLimit = { name: 'tests of channel', most: 30, seconds: 3_600 };

/** Posts a message for test. Whether it arrived is read with the channel. */
export function testChannelRoute(app: App, { storage }: DashboardServices): void {
  const schema = { params: IdParams, body: closed({}), response: { 202: SentMessageEnvelope } };
  const config = {
    access: 'admin',
    stepUp: { notNeeded: 'Posts a fixed text to a channel that was stored with a step-up.' },
  } as const;
  app.post(`${organizationPath}/channels/:id/test`, { config, schema }, async (request, reply) => {
    const id = objectId(request.params);
    await storage.lookups.countChanges(request.person.id, tests, request.organizationId);
    const message = await request.store.transaction(async transaction => {
      found(await findChannel(transaction, id));
      return addMessage(transaction, 'test', { channelId: id });
    });
    return reply.code(202).send({ message });
  });
}
