import Value from 'typebox/value';
import type { EventDetail, EventRow } from '../../contract/dashboard/events.ts';
import type { EventChannel } from '../../contract/events.ts';
import { type ProbeEventKind, probeEvents } from '../../contract/probe-events.ts';
import type { TenantStore } from '../../database/tenant-store.ts';
import { namedKinds, senderOfEvent } from './event-sender.ts';

/** The source of a report. Events that were stored by an older version may not have the known form. */
const sourceId = `case when e.channel = 'events' and e.kind in ('probe.assessment', 'probe.drift') and k.kind = 'probe'
    and e.payload ->> 'source_id' ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
  then (e.payload ->> 'source_id')::uuid end`;

/**
 * The kinds whose content is shown, without fields that Parapet does not know: probes have removed values from those that it
 * knows, and the service has validated them.
 */
const shown = Object.keys(probeEvents);

interface StoredEvent extends EventRow, Pick<EventDetail, 'source'> {
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
        json_build_object('id', e.key_id, 'name', k.name) as key, ${senderOfEvent('$5')} as sender,
        case when s.id is not null then json_build_object('id', s.id, 'name', s.name) end as source, e.occurred_at, e.received_at,
        case when e.channel = 'events' and e.kind = any($4) and k.kind = 'probe' then e.payload::text end as content
      from events e join systems y on y.id = e.system_id left join api_keys k on k.id = e.key_id
        left join sources s on s.system_id = e.system_id and s.id = ${sourceId}
      where e.system_id = $1 and e.channel = $2 and e.id = $3`,
    values: [system_id, channel, id, shown, namedKinds],
  });
  return event && { ...event, content: knownContent(event) };
}

function knownContent({ kind, content }: StoredEvent): EventDetail['content'] {
  if (content === null) return null;
  return Value.Clean(probeEvents[kind as ProbeEventKind], JSON.parse(content)) as EventDetail['content'];
}
