import { EventPage, ListEvents } from '../../../contract/dashboard/events.ts';
import type { App } from '../../../http/app.ts';
import { listEventRows } from '../../../resources/events/event-list.ts';
import { organizationPath } from '../../organization-path.ts';

export function listEventsRoute(app: App): void {
  const schema = { querystring: ListEvents, response: { 200: EventPage } };
  const config = { access: 'member' } as const;
  app.get(`${organizationPath}/events`, { config, schema }, request =>
    listEventRows(request.store, request.query),
  );
}
