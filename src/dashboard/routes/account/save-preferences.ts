import { SavePreferences } from '../../../contract/dashboard/notifications.ts';
import type { App } from '../../../http/app.ts';
import { savePreferences } from '../../../resources/notifications/preferences.ts';

/** The time zone and quiet hours of the person, in all organizations. */
export function savePreferencesRoute(app: App): void {
  const schema = { body: SavePreferences, response: { 200: SavePreferences } };
  const config = {
    access: 'person',
    stepUp: { notNeeded: 'Changes only when the person gets mail.' },
  } as const;
  app.put('/dashboard/api/account/preferences', { config, schema }, async request => {
    await savePreferences(request.people, request.person.id, request.body);
    return request.body;
  });
}
