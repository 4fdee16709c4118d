import { type Static, type TSchema, Type } from 'typebox';
import { limits } from './limits.ts';
import { closed, form, optional, timestampMessage, Uuid } from './values.ts';

/** Source of events: probes, or Shield in front of an application. */
export type EventChannel = 'events' | 'shield';

/** Format of an event kind. */
export const kindForm = form(
  '^[a-z0-9_]+([.-][a-z0-9_]+)*$',
  'must be lowercase words (a-z, 0-9 and _), separated by . or -',
);

/** One event. Additional fields are its payload, which the API stores and never returns. */
export const IngestEvent = Type.Object(
  {
    id: Uuid,
    kind: Type.String({ minLength: 1, maxLength: 64, ...kindForm }),
    occurred_at: Type.String({
      format: 'date-time',
      maxLength: 40,
      ...form(
        '^\\d{4}-\\d{2}-\\d{2}[Tt]\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?([Zz]|[+-]\\d{2}:\\d{2})$',
        timestampMessage,
      ),
      description: 'ISO 8601 with a UTC offset, 1970 or later.',
    }),
  },
  {
    description:
      'Additional fields are the payload, up to 16 levels deep. It is stored; the API never returns it.',
  },
);
export type IngestEvent = Static<typeof IngestEvent>;

const batchFields = {
  system_id: optional(Uuid, 'Required with a dashboard key. A probe key is bound to its system.'),
};

/** A batch as clients send it. @param kinds of events that are validated */
export const documentedBatch = (kinds: Readonly<Record<string, TSchema>>) =>
  closed({
    ...batchFields,
    events: Type.Array(Type.Union([...Object.values(kinds), IngestEvent]), {
      minItems: 1,
      maxItems: limits.eventsPerBatch,
    }),
  });

/** Events are validated one by one: an invalid event must not reject the batch. */
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
