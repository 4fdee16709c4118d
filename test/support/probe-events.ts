import { randomUUID } from 'node:crypto';
import type { AssessmentEvent, DetectorReport, Heartbeat } from '../../src/contract/probe-events.ts';
import { detectorsNamed, planSource } from '../../src/scan/plan.ts';
import { reportOf } from '../../src/scan/probe-report.ts';
import { runDetectors } from '../../src/scan/run-detectors.ts';

export const path = '/functions/v1/events-ingest';

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

const envelope = () => ({
  id: randomUUID(),
  occurred_at: minutesAgo(0),
  schema: 1,
  probe: { name: 'office', version: '1.0.0', instance: '00000000-0000-4000-8000-000000000001' },
});

/** A heartbeat of a probe that reports on one source. */
export function heartbeat(
  sourceId: string,
  changes: Partial<Heartbeat> & { target?: object } = {},
): Heartbeat {
  const { target, ...fields } = changes;
  return {
    ...envelope(),
    kind: 'probe.heartbeat',
    started_at: minutesAgo(60),
    interval_seconds: 60,
    spool: { events: 0, bytes: 0, oldest_at: null, set_aside: 0 },
    targets: [
      {
        name: 'db',
        source_id: sourceId,
        state: 'ok',
        checked_at: minutesAgo(2),
        latency_ms: 12,
        every_seconds: 3_600,
        ...target,
      },
    ],
    ...fields,
  };
}

/** What all PostgreSQL detectors report on a capture. */
export function reportsOn(capture: unknown): DetectorReport[] {
  const detectors = detectorsNamed('postgres', planned);
  return runDetectors(detectors, capture).map((result, index) => reportOf(detectors[index]!, result));
}

/** Names of all PostgreSQL detectors. */
export const planned = planSource({ kind: 'postgres' }, { profile: 'safe_all_surfaces', category: null });

/** An assessment by all PostgreSQL detectors. */
export function assessment(
  sourceId: string,
  results: readonly DetectorReport[],
  changes: Partial<AssessmentEvent> = {},
): AssessmentEvent {
  return {
    ...envelope(),
    kind: 'probe.assessment',
    assessment_id: randomUUID(),
    source_id: sourceId,
    started_at: minutesAgo(0),
    planned: [...planned],
    results: [...results],
    ...changes,
  };
}

/** The envelope of an event of another kind. */
export const eventOf = (kind: string, fields: object) => ({ ...envelope(), kind, ...fields });
