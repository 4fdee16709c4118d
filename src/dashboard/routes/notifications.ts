import type { App } from '../../http/app.ts';
import type { DashboardServices } from '../services.ts';
import { savePreferencesRoute } from './account/save-preferences.ts';
import { changeChannelRoute } from './channels/change.ts';
import { createChannelRoute } from './channels/create.ts';
import { deleteChannelRoute } from './channels/delete.ts';
import { listChannelsRoute } from './channels/list.ts';
import { testChannelRoute } from './channels/test.ts';
import { confirmAddressRoute } from './notifications/confirm.ts';
import { previewMessageRoutes } from './notifications/preview.ts';
import { readNotificationsRoute } from './notifications/read.ts';
import { saveNotificationsRoute } from './notifications/save.ts';
import { sendMessageRoutes } from './notifications/send.ts';
import { unsubscribeRoutes } from './notifications/unsubscribe.ts';

/** Notifications to people and to channels of an organization. */
export function addNotificationRoutes(app: App, services: DashboardServices): void {
  readNotificationsRoute(app, services);
  saveNotificationsRoute(app, services);
  sendMessageRoutes(app, services);
  confirmAddressRoute(app, services);
  previewMessageRoutes(app, services);
  savePreferencesRoute(app);
  unsubscribeRoutes(app);
  listChannelsRoute(app);
  createChannelRoute(app, services);
  changeChannelRoute(app, services);
  deleteChannelRoute(app);
  testChannelRoute(app, services);
}
