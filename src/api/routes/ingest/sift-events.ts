import type { ValidateFunction } from 'ajv';
import { type EventChannel, IngestEvent } from '../../../contract/events.ts';
import { type ProbeEventKind, probeEvents, probeSchema } from '../../../contract/probe-events.ts';
import { type ShieldEventKind, shieldEvents, shieldSchema } from '../../../contract/shield-events.ts';
import { payloadProblem } from '../../../domain/event-payload.ts';
import { fieldErrors } from '../../../http/answer-errors.ts';
import { linearAjv } from '../../../http/validation.ts';
import type { EventRow } from '../../../resources/events/event-store.ts';

interface Sifted {
  readonly events: EventRow[];
  readonly rejected: { index: number; error: string }[];
}

interface Sender {
  readonly channel: EventChannel;
  /** Whether the key is a probe key. */
  readonly isProbe: boolean;
}

/** Milliseconds that a clock may be ahead. Later times are those of receipt: lists begin with the newest events. */
const mostAhead = 3_600_000;

/** Separates valid events from others, with the reason for each. */
export function siftEvents(given: readonly unknown[], sender: Sender): Sifted {
  const sifted: Sifted = { events: [], rejected: [] };
  const now = new Date();
  const latest = new Date(now.getTime() + mostAhead).toISOString();
  given.forEach((event, index) => {
    const row = isEvent(event) ? rowOf(event, sender) : sentenceOf(isEvent);
    if (typeof row === 'string') sifted.rejected.push({ index, error: row });
    else sifted.events.push(row.occurredAt > latest ? { ...row, occurredAt: now.toISOString() } : row);
  });
  return sifted;
}

const ajv = linearAjv();
const isEvent = ajv.compile<IngestEvent>(IngestEvent);

/** The row of an event, or why it is rejected. */
function rowOf(event: IngestEvent, sender: Sender): EventRow | string {
  const occurredAt = timeOf(event.occurred_at);
  if (occurredAt === undefined) return 'occurred_at must be in 1970 or later';
  const changesPosture = isPosture(event, sender);
  const problem = payloadProblem(event) ?? (changesPosture ? postureProblem(event, sender) : undefined);
  if (problem !== undefined) return problem;
  return {
    id: event.id.toLowerCase(),
    kind: event.kind,
    occurredAt,
    payload: JSON.stringify(event),
    isPosture: changesPosture,
  };
}

function sentenceOf({ errors }: ValidateFunction): string {
  return fieldErrors(errors ?? [])
    .map(({ path, message }) => `${path} ${message}`.trim())
    .join('; ');
}

/** The kinds that change posture on each channel, with the newest schema that this service understands. */
const posture = {
  events: { kinds: probeEvents, newest: probeSchema },
  shield: { kinds: shieldEvents, newest: shieldSchema },
} as const satisfies Record<EventChannel, object>;
type PostureKind = ProbeEventKind | ShieldEventKind;

/** Whether the event changes posture. Others, and unknown kinds, are only stored. */
function isPosture(event: IngestEvent, { channel }: Sender): event is IngestEvent & { kind: PostureKind } {
  return Object.hasOwn(posture[channel].kinds, event.kind);
}

/** Compiled when first needed. */
const validators: { [Kind in PostureKind]?: ValidateFunction } = {};

function postureProblem(event: IngestEvent & { kind: PostureKind }, sender: Sender): string | undefined {
  const { kind } = event;
  if (!sender.isProbe) return `kind ${kind} requires a probe key`;
  const { newest } = posture[sender.channel];
  const { schema } = event as { schema?: unknown };
  if (typeof schema === 'number' && Number.isInteger(schema) && schema > newest) {
    return `schema ${schema} of ${kind} is not supported: this service supports schema ${newest}. Update the service`;
  }
  const validate = validators[kind] ?? ajv.compile({ ...probeEvents, ...shieldEvents }[kind]);
  validators[kind] = validate;
  return validate(event) ? undefined : sentenceOf(validate);
}

/**
 * In UTC, with milliseconds; undefined outside the years 1970 to 9999. A leap second becomes the first second of the next
 * minute, as in PostgreSQL; JavaScript rejects it.
 */
function timeOf(text: string): string | undefined {
  // Nearly all of them, for which parsing would cost as much as the rest of the validation.
  if (/^(19[7-9]|[2-9]\d\d)\d-\d\d-\d\dT\d\d:\d\d:[0-5]\d\.\d{3}Z$/.test(text)) return text;
  const [, before, after] = /^(.{17})60(.*)$/.exec(text) ?? [];
  const time = before === undefined ? Date.parse(text) : Date.parse(`${before}59${after}`) + 1_000;
  const [first, last] = [0, 253_402_300_799_999];
  return time >= first && time <= last ? new Date(time).toISOString() : undefined;
}
