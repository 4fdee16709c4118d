import { Notifications } from '../../../contract/dashboard/notifications.ts';
import type { App } from '../../../http/app.ts';
import { readNotifications } from '../../../resources/notifications/settings.ts';
import { organizationPath } from '../../organization-path.ts';
import type { DashboardServices } from '../../services.ts';

export function readNotificationsRoute(app: App, { sendsMail }: DashboardServices): void {
  const schema = { response: { 200: Notifications } };
  const config = { access: 'member' } as const;
  app.get(`${organizationPath}/notifications`, { config, schema }, request => {
    const reader = { personId: request.person.id, role: request.role };
    return request.store.read(session => readNotifications(session, reader, sendsMail));
  });
}
