import { EventDetailEnvelope, ReadEvent } from '../../../contract/dashboard/events.ts';
import { found, IdParams, objectId } from '../../../http/answers.ts';
import type { App } from '../../../http/app.ts';
import { findEvent } from '../../../resources/events/event-content.ts';
import { organizationPath } from '../../organization-path.ts';

/** An event with what a probe reported in it. */
export function readEventRoute(app: App): void {
  const schema = { params: IdParams, querystring: ReadEvent, response: { 200: EventDetailEnvelope } };
  const config = { access: 'member' } as const;
  app.get(`${organizationPath}/events/:id`, { config, schema }, async request => {
    const id = objectId(request.params);
    return { event: found(await findEvent(request.store, { ...request.query, id })) };
  });
}
