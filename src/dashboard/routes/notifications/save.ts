import { Notifications, SaveNotificationSettings } from '../../../contract/dashboard/notifications.ts';
import type { App } from '../../../http/app.ts';
import { readNotifications, saveNotificationSettings } from '../../../resources/notifications/settings.ts';
import { organizationPath } from '../../organization-path.ts';
import type { DashboardServices } from '../../services.ts';

export function saveNotificationsRoute(app: App, { sendsMail }: DashboardServices): void {
  const schema = { body: SaveNotificationSettings, response: { 200: Notifications } };
  const config = {
    access: 'member',
    stepUp: { notNeeded: 'Changes only which mail the person gets.' },
  } as const;
  app.put(`${organizationPath}/notifications`, { config, schema }, request => {
    const reader = { personId: request.person.id, role: request.role };
    return request.store.transaction(async transaction => {
      await saveNotificationSettings(transaction, reader.personId, request.body);
      return readNotifications(transaction, reader, sendsMail);
    });
  });
}
