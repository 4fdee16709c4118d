import { EventCounts, EventFilters } from '../../../contract/dashboard/events.ts';
import type { App } from '../../../http/app.ts';
import { countEvents } from '../../../resources/events/event-counts.ts';
import { organizationPath } from '../../organization-path.ts';

export function countEventsRoute(app: App): void {
  const schema = { querystring: EventFilters, response: { 200: EventCounts } };
  const config = { access: 'member' } as const;
  app.get(`${organizationPath}/events/counts`, { config, schema }, request =>
    countEvents(request.store, request.query),
  );
}
