import { ConfirmAddress, Notifications } from '../../../contract/dashboard/notifications.ts';
import type { App } from '../../../http/app.ts';
import { confirmAddress } from '../../../resources/notifications/preferences.ts';
import { readNotifications } from '../../../resources/notifications/settings.ts';
import { organizationPath } from '../../organization-path.ts';
import type { DashboardServices } from '../../services.ts';

/** Confirms the address of the account with the code that was sent there. */
export function confirmAddressRoute(app: App, { sendsMail }: DashboardServices): void {
  const schema = { body: ConfirmAddress, response: { 200: Notifications } };
  const config = {
    access: 'member',
    stepUp: { notNeeded: 'Requires a code that was sent to the address. A few tries are allowed.' },
  } as const;
  app.post(`${organizationPath}/notifications/confirm`, { config, schema }, async request => {
    const reader = { personId: request.person.id, role: request.role };
    await confirmAddress(request.people, reader.personId, request.body.code);
    return request.store.read(session => readNotifications(session, reader, sendsMail));
  });
}
