import { type Static, Type } from 'typebox';
import { kindForm } from '../events.ts';
import { choice, closed, page, Timestamp, Uuid } from '../values.ts';
import { Named } from './findings.ts';
import { eventRetentions } from './retention-days.ts';

const channels = ['events', 'shield'] as const;

const filters = {
  channel: Type.Optional(choice(channels)),
  kind: Type.Optional(
    Type.String({
      maxLength: 64,
      ...kindForm,
      description: 'Exact match.',
    }),
  ),
  system_id: Type.Optional(Uuid),
  from: Type.Optional(Timestamp),
  to: Type.Optional(Timestamp),
};
export const EventFilters = closed(filters);
export type EventFilters = Static<typeof EventFilters>;
/** Counts are not kept by key. */
export const ListEvents = closed({
  ...filters,
  key_id: Type.Optional(Uuid),
  probe_id: Type.Optional({ ...Uuid, description: 'Events of all keys that this probe has used.' }),
  cursor: page.cursor,
});
export type ListEvents = Static<typeof ListEvents>;

/** An event without its payload. */
export const EventRow = closed({
  id: Uuid,
  channel: choice(channels),
  kind: Type.String(),
  system: Named,
  key: closed({ id: Uuid, name: Type.Union([Type.String(), Type.Null()]) }),
  sender: Type.Union([Type.String(), Type.Null()], {
    description:
      'Name of the probe or forwarder. Null for kinds that Parapet does not know, and for large events whose sender is not clear from the key or the system.',
  }),
  occurred_at: Timestamp,
  received_at: Timestamp,
});
export type EventRow = Static<typeof EventRow>;

export const EventPage = closed({
  events: Type.Array(EventRow),
  next_cursor: Type.Union([Type.String(), Type.Null()]),
});
export type EventPage = Static<typeof EventPage>;

/** An id is unique within a system and channel. */
export const ReadEvent = closed({ system_id: Uuid, channel: choice(channels) });

export const EventDetail = closed({
  ...EventRow.properties,
  source: Type.Union([Named, Type.Null()], {
    description:
      'What the report of a probe is about. Null for all other events, and for a source that does not exist.',
  }),
  content: Type.Unknown({
    description:
      'The fields that Parapet knows, for the kinds that it knows. Null for all other kinds. Other fields are never returned.',
  }),
});
export type EventDetail = Static<typeof EventDetail>;
export const EventDetailEnvelope = closed({ event: EventDetail });

const Count = Type.Integer({ minimum: 0 });

/** Event counts by hour or day (UTC), and the most frequent kinds. */
export const EventCounts = closed({
  from: Timestamp,
  to: Timestamp,
  bucket: choice(['hour', 'day']),
  counts: Type.Array(closed({ at: Timestamp, events: Count, shield: Count })),
  kinds: Type.Array(closed({ kind: Type.String(), count: Count })),
  more_kinds: Type.Integer({ minimum: 0, description: 'Number of kinds not listed in `kinds`.' }),
  of_other_kinds: Type.Integer({
    minimum: 0,
    description:
      'Events that are not counted by kind, because their key has sent more than 200 kinds or their organization more than 2,000, and the period has more than 20,000 events. Counts of `kinds` may lack some of them.',
  }),
});
export type EventCounts = Static<typeof EventCounts>;

/** For how many days events are kept: in whole days (UTC), since they were received. */
export const EventRetention = closed({
  retention_days: Type.Unsafe<(typeof eventRetentions)[number]>({
    type: 'integer',
    enum: [...eventRetentions],
  }),
});
export type EventRetention = Static<typeof EventRetention>;
