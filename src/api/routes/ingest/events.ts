import {
  DocumentedBatch,
  type EventChannel,
  IngestBatch,
  IngestEvent,
  IngestReceipt,
} from '../../../contract/events.ts';
import { payloadProblem } from '../../../domain/event-payload.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { fieldErrors } from '../../../http/answer-errors.ts';
import { found } from '../../../http/answers.ts';
import type { App } from '../../../http/app.ts';
import { linearAjv } from '../../../http/validation.ts';
import { type EventRow, storeEvents } from '../../../resources/events/events.ts';
import type { ApiKey } from '../../../resources/keys/api-keys.ts';
import { describe } from '../../describe.ts';

/** Adds an ingest function. Both accept the same batch, and store events by channel. */
export function ingestRoute(app: App, path: string, channel: EventChannel, summary: string): void {
  const schema = describe(summary, { body: IngestBatch, response: { 202: IngestReceipt } });
  const config = { scope: 'ingest', signedPathname: path, documentedBody: DocumentedBatch } as const;
  app.post(path, { config, schema }, async (request, reply) => {
    const systemId = systemOf(request.apiKey, request.body.system_id);
    const { events, rejected } = sift(request.body.events);
    if (events.length === 0) {
      const fields = rejected.map(({ index, error }) => ({ path: `events.${index}`, message: error }));
      throw new Refusal('invalid_body', { fields });
    }
    const unique = [...new Map(events.map(event => [event.id, event])).values()];
    const origin = { channel, systemId, keyId: request.apiKey.id };
    const accepted = found(await storeEvents(request.store, origin, unique));
    return reply.code(202).send({ accepted, duplicates: events.length - accepted, rejected });
  });
}

/** A probe key is bound to its system; a dashboard key requires `system_id`. */
function systemOf(key: ApiKey, named?: string | null): string {
  named ??= undefined;
  if (key.systemId === null && named === undefined) {
    throw new Refusal('invalid_body', {
      fields: [{ path: 'system_id', message: 'is required with a dashboard key' }],
    });
  }
  if (key.systemId !== null && named !== undefined && named.toLowerCase() !== key.systemId) {
    throw new Refusal('invalid_body', {
      fields: [{ path: 'system_id', message: 'must be omitted or the system of the probe key' }],
    });
  }
  return (key.systemId ?? named)!;
}

const validate = linearAjv().compile<IngestEvent>(IngestEvent);

interface Sifted {
  readonly events: EventRow[];
  readonly rejected: { index: number; error: string }[];
}

function sift(given: readonly unknown[]): Sifted {
  const sifted: Sifted = { events: [], rejected: [] };
  given.forEach((event, index) => {
    const problem = problemOf(event);
    if (problem === undefined) sifted.events.push(toRow(event as IngestEvent));
    else sifted.rejected.push({ index, error: problem });
  });
  return sifted;
}

function problemOf(event: unknown): string | undefined {
  if (!validate(event)) {
    return fieldErrors(validate.errors ?? [])
      .map(({ path, message }) => `${path} ${message}`.trim())
      .join('; ');
  }
  const year = timeOf(event.occurred_at).getUTCFullYear();
  if (!(year >= 1970 && year <= 9999)) return 'occurred_at must be in 1970 or later';
  return payloadProblem(event);
}

/** A leap second becomes the first second of the next minute, as in PostgreSQL; JavaScript rejects it. */
function timeOf(text: string): Date {
  const [, before, after] = /^(.{17})60(.*)$/.exec(text) ?? [];
  return before === undefined ? new Date(text) : new Date(Date.parse(`${before}59${after}`) + 1_000);
}

function toRow(event: IngestEvent): EventRow {
  return {
    id: event.id.toLowerCase(),
    kind: event.kind,
    occurredAt: timeOf(event.occurred_at).toISOString(),
    payload: JSON.stringify(event),
  };
}
