import { type Static, type TSchema, Type } from 'typebox';
import { AgentName } from './agent-name.ts';
import { connectionCauses, deathCauses } from './causes.ts';
import { severities } from './severity.ts';
import { sourceKinds } from './sources.ts';
import { choice, form, NullableTimestamp, nullable, Timestamp, Uuid } from './values.ts';

/**
 * Version of the payloads of probe events. A change that an older service would misread increases it; additional fields do not.
 */
export const probeSchema = 1;

/** Bounds of a probe's reports: what one event or one probe may claim. */
export const probeBounds = {
  /** Targets of one probe. */
  targets: 100,
  /** Detectors of one assessment. */
  detectors: 100,
  /** Checks of one detector, and observations and assessed places of one result. */
  checks: 200,
  observations: 2_500,
  places: 5_000,
  /** Pages or databases that a result covers. */
  covers: 16,
  locator: 2_048,
  sentence: 500,
  /** Changes in one drift event, and items in one inventory event. */
  changes: 500,
  driftName: 512,
  inventory: 100,
} as const;

const word = (maxLength: number) =>
  Type.String({
    minLength: 1,
    maxLength,
    ...form('^[a-z0-9_]+([.-][a-z0-9_]+)*$', 'must be lowercase words (a-z, 0-9 and _), separated by . or -'),
  });
const line = (maxLength: number) =>
  Type.String({ maxLength, ...form('^[^\\x00]*$', 'must not contain U+0000') });
const count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

/** Why a source could not be assessed. */
const Failure = choice([...connectionCauses, ...deathCauses]);

const Probe = Type.Object({
  name: AgentName,
  version: Type.String({
    minLength: 1,
    maxLength: 40,
    ...form('^[0-9A-Za-z.+-]+$', 'must be a version such as 1.2.3'),
  }),
  instance: Uuid,
});

/** The fields of every probe event. Unknown fields are ignored, so that an older service understands a newer probe. */
const envelope = {
  id: Uuid,
  occurred_at: Timestamp,
  schema: Type.Integer({ minimum: 1, maximum: 1_000 }),
  probe: Probe,
};

/** The probe runs: its queue, and the last result of each target. */
export const Heartbeat = Type.Object({
  ...envelope,
  kind: Type.Literal('probe.heartbeat'),
  started_at: Timestamp,
  /** Up to 30 days, for a probe that cron starts. */
  interval_seconds: Type.Integer({ minimum: 10, maximum: 2_592_000 }),
  spool: Type.Object({ events: count, bytes: count, oldest_at: NullableTimestamp, set_aside: count }),
  targets: Type.Array(
    Type.Object({
      name: AgentName,
      source_id: Uuid,
      state: choice(['waiting', 'ok', 'failing']),
      error_code: Type.Optional(Failure),
      checked_at: NullableTimestamp,
      latency_ms: Type.Integer({ minimum: 0, maximum: 600_000 }),
      every_seconds: Type.Integer({ minimum: 60, maximum: 2_592_000 }),
    }),
    { maxItems: probeBounds.targets },
  ),
});
export type Heartbeat = Static<typeof Heartbeat>;

const locator = line(probeBounds.locator);

/** The result of a detector: every check that it knows, with what it observed. */
const DetectorReport = Type.Object({
  detector: word(64),
  /** False if the detector threw: no check was assessed. */
  completed: Type.Boolean(),
  checks: Type.Array(
    Type.Object({
      check: word(100),
      outcome: choice(['passed', 'observed', 'not_assessed', 'not_applicable']),
      reason: Type.Optional(line(probeBounds.sentence)),
      resolves: Type.Optional(Type.Literal(true)),
    }),
    { maxItems: probeBounds.checks },
  ),
  observations: Type.Array(
    Type.Object({
      check: word(100),
      locator,
      seen: line(probeBounds.sentence),
      severity: Type.Optional(choice(severities)),
    }),
    { maxItems: probeBounds.observations },
  ),
  places: Type.Array(
    Type.Object({ check: word(100), assessed: Type.Array(locator, { maxItems: probeBounds.places }) }),
    { maxItems: probeBounds.checks },
  ),
  subject: nullable(
    Type.Object({ at: locator, covers: Type.Array(locator, { maxItems: probeBounds.covers }) }),
  ),
});
export type DetectorReport = Static<typeof DetectorReport>;

/**
 * An assessment of a source. One that is too large for an event comes in several, which share `assessment_id` and
 * `planned`, and have different results.
 */
export const AssessmentEvent = Type.Object({
  ...envelope,
  kind: Type.Literal('probe.assessment'),
  assessment_id: Uuid,
  source_id: Uuid,
  started_at: Timestamp,
  /** The detectors of the whole assessment. */
  planned: Type.Array(word(64), { minItems: 1, maxItems: probeBounds.detectors }),
  /** Why nothing could be assessed. Then there are no results. */
  error_code: Type.Optional(Failure),
  results: Type.Array(DetectorReport, { maxItems: probeBounds.detectors }),
});
export type AssessmentEvent = Static<typeof AssessmentEvent>;

/** What may change between two assessments of a source. */
export const driftAreas = [
  'setting',
  'role',
  'grant',
  'policy',
  'extension',
  'access_rule',
  'header',
  'certificate',
] as const;
export type DriftArea = (typeof driftAreas)[number];

/** Names of what changed since the last assessment, without values. */
export const DriftEvent = Type.Object({
  ...envelope,
  kind: Type.Literal('probe.drift'),
  source_id: Uuid,
  since: Timestamp,
  changes: Type.Array(
    Type.Object({
      area: choice(driftAreas),
      name: line(probeBounds.driftName),
      change: choice(['added', 'removed', 'changed']),
    }),
    { minItems: 1, maxItems: probeBounds.changes },
  ),
  /** Number of changes that are not listed. */
  more: count,
});
export type DriftEvent = Static<typeof DriftEvent>;

/** Databases and sites that the probe saw, and that are not among its targets. */
const InventoryEvent = Type.Object({
  ...envelope,
  kind: Type.Literal('probe.inventory'),
  seen: Type.Array(
    Type.Object({
      kind: choice(sourceKinds),
      host: Type.String({ minLength: 1, maxLength: 300, ...form('^[!-~]+$', 'must be printable ASCII') }),
      /** How it was seen. */
      via: choice(['listening_socket']),
    }),
    { maxItems: probeBounds.inventory },
  ),
});
export type InventoryEvent = Static<typeof InventoryEvent>;

/** Events that the probe dropped because its spool or the disk was full, or they were too old. */
const DroppedEvent = Type.Object({
  ...envelope,
  kind: Type.Literal('probe.dropped'),
  reason: choice(['spool_full', 'too_old', 'disk_full']),
  count: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  from: NullableTimestamp,
  to: NullableTimestamp,
});

/** The kinds of events that change posture. Only a probe key may send them, on the channel `events`. */
export const probeEvents = {
  'probe.heartbeat': Heartbeat,
  'probe.assessment': AssessmentEvent,
  'probe.drift': DriftEvent,
  'probe.inventory': InventoryEvent,
  'probe.dropped': DroppedEvent,
} as const satisfies Record<string, TSchema>;
export type ProbeEventKind = keyof typeof probeEvents;
export type ProbeEvent = Static<(typeof probeEvents)[ProbeEventKind]>;
