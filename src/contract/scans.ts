import { type Static, Type } from 'typebox';
import { runCauses } from './causes.ts';
import {
  choice,
  closed,
  list,
  NullableTimestamp,
  NullableUuid,
  optional,
  page,
  Timestamp,
  text,
  Uuid,
} from './values.ts';

const scanProfiles = ['safe_all_surfaces', 'verify_finding', 'full_active'] as const;
export const scanStatuses = ['queued', 'running', 'completed', 'failed', 'canceled'] as const;
const runStatuses = ['queued', 'running', 'succeeded', 'failed', 'skipped'] as const;
export type RunStatus = (typeof runStatuses)[number];
export const verdicts = ['pass', 'warn', 'fail', 'inconclusive'] as const;
export type Verdict = (typeof verdicts)[number];

const scanFields = {
  id: Uuid,
  profile: choice(scanProfiles),
  status: choice(scanStatuses),
  verdict: Type.Union([choice(verdicts), Type.Null()], { description: 'Null until the scan ends.' }),
  runs_planned: Type.Integer({ minimum: 0 }),
  runs_succeeded: Type.Integer({ minimum: 0 }),
  system_id: NullableUuid,
  source_id: NullableUuid,
  created_at: Timestamp,
  started_at: NullableTimestamp,
  finished_at: NullableTimestamp,
};

export const Scan = closed(scanFields);
export type Scan = Static<typeof Scan>;

/** One detector on one source within a scan. */
export const Run = closed({
  id: Uuid,
  detector: Type.String(),
  source_id: Uuid,
  status: choice(runStatuses),
  cause: Type.Union([choice(runCauses), Type.Null()], {
    description:
      'Why the run did not succeed. For a run that succeeded, null, or `checks_not_assessed` if some checks were not assessed.',
  }),
  started_at: NullableTimestamp,
  finished_at: NullableTimestamp,
});
export type Run = Static<typeof Run>;

export const ScanWithRuns = closed({ ...scanFields, runs: Type.Array(Run) });
export type ScanWithRuns = Static<typeof ScanWithRuns>;

const idempotencyKey = {
  ...text(200, 'Unique in the organization, without expiry. At least 8 characters.'),
  minLength: 8,
};

/** The route requires exactly one of `system_id` and `source_id`, and names the violation. */
export const RequestScan = closed({
  system_id: optional(Uuid),
  source_id: optional(Uuid),
  idempotency_key: idempotencyKey,
});
export type RequestScan = Static<typeof RequestScan>;

export const ListScansQuery = closed(page);
export const ScanList = list('scans', Scan);
export const ScanEnvelope = closed({ scan: Scan });
export const ScanWithRunsEnvelope = closed({ scan: ScanWithRuns });
