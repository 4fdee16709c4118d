import type { EventDetail, EventRow } from '../../contract/dashboard/events.ts';
import type { EventChannel } from '../../contract/events.ts';
import { probeEvents } from '../../contract/probe-events.ts';
import type { TenantStore } from '../../database/tenant-store.ts';
import { joinSource, sourceOfEvent } from './event-source.ts';

/** The kinds whose content is shown: probes have removed values from it, and the service has validated it. */
const shown = Object.keys(probeEvents);

interface StoredEvent extends EventRow {
  readonly content: string | null;
}

/** An event with its content, if it is of a known kind. Undefined if the organization has no such event. */
export async function findEvent(
  store: TenantStore,
  {
    id,
    system_id,
    channel,
  }: { readonly id: string; readonly system_id: string; readonly channel: EventChannel },
): Promise<EventDetail | undefined> {
  const [event] = await store.queryOnce<StoredEvent>({
    text: `select e.id, e.channel, e.kind, json_build_object('id', y.id, 'name', y.name) as system,
        json_build_object('id', e.key_id, 'name', k.name) as key, ${sourceOfEvent}, e.occurred_at, e.received_at,
        case when e.channel = 'events' and e.kind = any($4) and k.kind = 'probe' then e.payload::text end as content
      from events e join systems y on y.id = e.system_id left join api_keys k on k.id = e.key_id ${joinSource}
      where e.system_id = $1 and e.channel = $2 and e.id = $3`,
    values: [system_id, channel, id, shown],
  });
  return event && { ...event, content: event.content === null ? null : JSON.parse(event.content) };
}
