import { SentMessageEnvelope } from '../../../contract/dashboard/notifications.ts';
import { closed } from '../../../contract/values.ts';
import { Refusal } from '../../../domain/refusal.ts';
import type { App } from '../../../http/app.ts';
import { addMessage } from '../../../resources/notifications/outbox.ts';
import { readNotifications } from '../../../resources/notifications/settings.ts';
import type { ChangeLimit } from '../../../resources/people/change-counts.ts';
import { organizationPath } from '../../organization-path.ts';
import type { DashboardServices } from '../../services.ts';

/** Each sends mail to an address that the account may have had entered by someone else. */
const messages: ChangeLimit = { name: 'messages to person', most: 10, seconds: 3_600 };

/** Sends the person a message for test, or a code that confirms the address. Whether it arrived is read with the settings. */
export function sendMessageRoutes(app: App, { sendsMail, storage }: DashboardServices): void {
  const schema = { body: closed({}), response: { 202: SentMessageEnvelope } };
  const config = {
    access: 'member',
    stepUp: { notNeeded: 'Sends a message to the person’s own address, a few times an hour.' },
  } as const;
  for (const purpose of ['test', 'code'] as const) {
    app.post(`${organizationPath}/notifications/${purpose}`, { config, schema }, async (request, reply) => {
      if (!sendsMail) throw new Refusal('mail_not_configured');
      const { id: personId } = request.person;
      await storage.lookups.countChanges(personId, messages, personId);
      const message = await request.store.transaction(async transaction => {
        const { mail } = await readNotifications(transaction, { personId, role: request.role }, sendsMail);
        if (purpose === 'test' && !mail.confirmed) throw new Refusal('address_not_confirmed');
        return addMessage(transaction, purpose, { personId });
      });
      return reply.code(202).send({ message });
    });
  }
}
