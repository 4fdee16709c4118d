import { SavePreferences } from '../../../contract/dashboard/notifications.ts';
import type { App } from '../../../http/app.ts';
import { savePreferences } from '../../../resources/notifications/preferences.ts';
import { auditAccount } from '../../../resources/people/accounts.ts';
import { openTransaction } from '../../open-transaction.ts';

/** The time zone and quiet hours of the person, in all organizations. */
export function savePreferencesRoute(app: App): void {
  const schema = { body: SavePreferences, response: { 200: SavePreferences } };
  const config = {
    access: 'person',
    stepUp: { notNeeded: 'Changes only when the person gets mail.' },
  } as const;
  app.put('/dashboard/api/account/preferences', { config, schema }, async request => {
    const { id } = request.person;
    await openTransaction(request, request.people, async transaction => {
      await savePreferences(transaction, id, request.body);
      await auditAccount(transaction, request.actor, id, {
        action: 'person.notifications_changed',
        detail: { quiet_hours: request.body.quiet_hours !== null },
      });
    });
    return request.body;
  });
}
