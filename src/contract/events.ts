import { type Static, Type } from 'typebox';
import { limits } from './limits.ts';
import { closed, form, momentWords, optional, Uuid } from './values.ts';

/** Where events come from: probes, or Shield in front of an application. */
export type EventChannel = 'events' | 'shield';

/** What a kind of events is. */
export const kindForm = form(
  '^[a-z0-9_]+([.-][a-z0-9_]+)*$',
  'must be words of a-z, 0-9 and _, joined by . or -',
);

/** One event. Fields beyond these are its payload: stored and never returned. */
export const IngestEvent = Type.Object(
  {
    id: Uuid,
    kind: Type.String({ minLength: 1, maxLength: 64, ...kindForm }),
    occurred_at: Type.String({
      format: 'date-time',
      maxLength: 40,
      ...form(
        '^\\d{4}-\\d{2}-\\d{2}[Tt]\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?([Zz]|[+-]\\d{2}:\\d{2})$',
        momentWords,
      ),
      description: 'ISO 8601 with an offset, from 1970 on.',
    }),
  },
  { description: 'Further fields are the payload: at most 16 levels deep, stored and never returned.' },
);
export type IngestEvent = Static<typeof IngestEvent>;

const batchFields = {
  system_id: optional(Uuid, 'Required with a dashboard key. A probe key is bound to its system.'),
  events: Type.Array(IngestEvent, { minItems: 1, maxItems: limits.eventsPerBatch }),
};

/** A batch as clients send it. */
export const DocumentedBatch = closed(batchFields);

/** Each event is validated by itself, so that a bad one does not cost the others. */
export const IngestBatch = closed({
  ...batchFields,
  events: Type.Array(Type.Unknown(), { minItems: 1, maxItems: limits.eventsPerBatch }),
});
export type IngestBatch = Static<typeof IngestBatch>;

export const IngestReceipt = closed({
  accepted: Type.Integer({ minimum: 0 }),
  duplicates: Type.Integer({ minimum: 0 }),
  rejected: Type.Array(closed({ index: Type.Integer({ minimum: 0 }), error: Type.String() })),
});
export type IngestReceipt = Static<typeof IngestReceipt>;
