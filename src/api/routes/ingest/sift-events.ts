import type { ValidateFunction } from 'ajv';
import { type EventChannel, IngestEvent } from '../../../contract/events.ts';
import { type ProbeEventKind, probeEvents, probeSchema } from '../../../contract/probe-events.ts';
import { payloadProblem } from '../../../domain/event-payload.ts';
import { fieldErrors } from '../../../http/answer-errors.ts';
import { linearAjv } from '../../../http/validation.ts';
import type { EventRow } from '../../../resources/events/events.ts';

interface Sifted {
  readonly events: EventRow[];
  readonly rejected: { index: number; error: string }[];
}

interface Sender {
  readonly channel: EventChannel;
  /** Whether the key is a probe key. */
  readonly isProbe: boolean;
}

/** Separates valid events from others, with the reason for each. */
export function siftEvents(given: readonly unknown[], sender: Sender): Sifted {
  const sifted: Sifted = { events: [], rejected: [] };
  given.forEach((event, index) => {
    const problem = problemOf(event, sender);
    if (problem === undefined) sifted.events.push(toRow(event as IngestEvent, sender));
    else sifted.rejected.push({ index, error: problem });
  });
  return sifted;
}

const ajv = linearAjv();
const isEvent = ajv.compile<IngestEvent>(IngestEvent);

function problemOf(event: unknown, sender: Sender): string | undefined {
  if (!isEvent(event)) return sentenceOf(isEvent);
  const year = timeOf(event.occurred_at).getUTCFullYear();
  if (!(year >= 1970 && year <= 9999)) return 'occurred_at must be in 1970 or later';
  return payloadProblem(event) ?? (isPosture(event, sender) ? postureProblem(event, sender) : undefined);
}

function sentenceOf({ errors }: ValidateFunction): string {
  return fieldErrors(errors ?? [])
    .map(({ path, message }) => `${path} ${message}`.trim())
    .join('; ');
}

/** Whether the event changes posture. Others, and unknown kinds, are only stored. */
function isPosture(event: IngestEvent, { channel }: Sender): event is IngestEvent & { kind: ProbeEventKind } {
  return channel === 'events' && Object.hasOwn(probeEvents, event.kind);
}

/** Compiled when first needed. */
const validators: { [Kind in ProbeEventKind]?: ValidateFunction } = {};

function postureProblem(event: IngestEvent & { kind: ProbeEventKind }, sender: Sender): string | undefined {
  const { kind } = event;
  if (!sender.isProbe) return `kind ${kind} requires a probe key`;
  const { schema } = event as { schema?: unknown };
  if (typeof schema === 'number' && Number.isInteger(schema) && schema > probeSchema) {
    return `schema ${schema} of ${kind} is not supported: this service supports schema ${probeSchema}. Update the service`;
  }
  const validate = validators[kind] ?? ajv.compile(probeEvents[kind]);
  validators[kind] = validate;
  return validate(event) ? undefined : sentenceOf(validate);
}

/** A leap second becomes the first second of the next minute, as in PostgreSQL; JavaScript rejects it. */
function timeOf(text: string): Date {
  const [, before, after] = /^(.{17})60(.*)$/.exec(text) ?? [];
  return before === undefined ? new Date(text) : new Date(Date.parse(`${before}59${after}`) + 1_000);
}

function toRow(event: IngestEvent, sender: Sender): EventRow {
  return {
    id: event.id.toLowerCase(),
    kind: event.kind,
    occurredAt: timeOf(event.occurred_at).toISOString(),
    payload: JSON.stringify(event),
    isPosture: isPosture(event, sender),
  };
}
