import { type Static, Type } from 'typebox';
import { findingStatuses } from '../findings.ts';
import { Remediation } from '../remediation.ts';
import { Severity, severities } from '../severity.ts';
import { sourceKinds } from '../sources.ts';
import { choice, closed, NullableTimestamp, NullableUuid, Timestamp, text, Uuid } from '../values.ts';
import { filters } from './finding-filters.ts';
import { findingsAtOnce } from './finding-limits.ts';
import { workFields, workHistory } from './finding-work.ts';

/** A reference to an object with its name. */
export const Named = closed({ id: Uuid, name: Type.String() });

const rowFields = {
  id: Uuid,
  severity: Severity,
  status: choice(findingStatuses),
  category: Type.String(),
  title: Type.String(),
  locator: Type.String({ description: 'Location of the finding on the source.' }),
  created_at: Timestamp,
  last_seen_at: Timestamp,
  accepted_until: NullableTimestamp,
  ...workFields,
  reopened: Type.Boolean({ description: 'The finding was resolved and observed again.' }),
  source: Named,
  system: Named,
};
export const FindingRow = closed(rowFields);
export type FindingRow = Static<typeof FindingRow>;

export const FindingPage = closed({
  findings: Type.Array(FindingRow),
  next_cursor: Type.Union([Type.String(), Type.Null()]),
});
export type FindingPage = Static<typeof FindingPage>;

const Count = Type.Integer({ minimum: 0 });
export const SeverityCounts = closed({
  critical: Count,
  high: Count,
  medium: Count,
  low: Count,
  info: Count,
});
export type SeverityCounts = Static<typeof SeverityCounts>;

/** A check with its matching findings that are not info, and their highest severity. */
const FailedCheck = closed({
  check: Type.String(),
  title: Type.String(),
  severity: choice(severities),
  count: Count,
});
export type FailedCheck = Static<typeof FailedCheck>;

/** The ten checks to fix first, in the order of `domain/fix-first.ts`. */
export const FixFirst = Type.Array(FailedCheck, { maxItems: 10 });

/** Counts of matching findings. `by_severity` ignores the severity filter, and `by_status` the status filter. */
export const FindingCounts = closed({
  total: Count,
  fix_first: FixFirst,
  by_severity: SeverityCounts,
  by_status: closed({ open: Count, resolved: Count, accepted: Count, false_positive: Count }),
});
export type FindingCounts = Static<typeof FindingCounts>;

/** A period from when a finding was observed until it was resolved. */
const Episode = closed({
  number: Type.Integer({ minimum: 1 }),
  opened_at: Timestamp,
  opened_by_scan: NullableUuid,
  closed_at: NullableTimestamp,
  closed_by_scan: NullableUuid,
});

const decisionKinds = ['accepted', 'false_positive', 'reopened', 'expired'] as const;
const DecisionEntry = closed({
  decision: choice(decisionKinds),
  reason: Type.Union([Type.String(), Type.Null()]),
  accepted_until: NullableTimestamp,
  by: Type.Union([Type.String(), Type.Null()], { description: 'Name of the person; null for the service.' }),
  decided_at: Timestamp,
});

/** How a check relates to a safeguard. */
export const Effect = choice(
  ['lowers', 'shows'] as const,
  'shows: a pass shows the safeguard working. lowers: a pass only means that no problem was found.',
);

const Safeguard = closed({
  citation: Type.String(),
  title: Type.String(),
  effect: Effect,
  reason: Type.String({ description: 'Why the check relates to the safeguard.' }),
});

export const FindingDetail = closed({
  ...rowFields,
  subject: Type.Union([Type.String(), Type.Null()], {
    description:
      'The page or database where it was last observed, for checks that assess one of several. Only a scan of the same one resolves it.',
  }),
  seen: Type.String({ description: 'The observation in one sentence. Secrets are masked.' }),
  remediation: Type.String(),
  updated_at: Timestamp,
  source: closed({ ...Named.properties, kind: choice(sourceKinds), host: Type.String() }),
  check: Type.Union(
    [
      closed({
        why: Type.String(),
        remediation: Remediation,
        references: Type.Array(Type.String()),
        safeguards: Type.Array(Safeguard),
      }),
      Type.Null(),
    ],
    { description: 'The check; null if this version no longer has it.' },
  ),
  assessment: Type.Union(
    [
      closed({
        outcome: choice(['passed', 'observed', 'not_assessed', 'not_applicable'] as const),
        reason: Type.Union([Type.String(), Type.Null()]),
        looked_at: Timestamp,
      }),
      Type.Null(),
    ],
    { description: 'Latest result of the check on this source.' },
  ),
  verification: closed({
    possible: Type.Boolean(),
    text: Type.String({ description: 'What verification does, or why it is not possible.' }),
    needs_proof: Type.Boolean({
      description: 'Only full scans assess the finding, and the proof of the domain is not current.',
    }),
    scan_id: NullableUuid,
  }),
  episodes: Type.Array(Episode),
  decisions: Type.Array(DecisionEntry),
  ...workHistory,
});
export type FindingDetail = Static<typeof FindingDetail>;
export const FindingDetailEnvelope = closed({ finding: FindingDetail });

const reason = text(1000, 'Reason, kept in the history of the finding.');
export const TriageDecision = Type.Union([
  closed({ decision: Type.Literal('accepted'), reason, until: Timestamp }),
  closed({ decision: Type.Literal('false_positive'), reason }),
  closed({ decision: Type.Literal('reopened'), reason: Type.Optional(reason) }),
]);
export type TriageDecision = Static<typeof TriageDecision>;

export const TriageFindings = closed({
  ids: Type.Array(Uuid, { minItems: 1, maxItems: findingsAtOnce, uniqueItems: true }),
  decision: TriageDecision,
});
export const TriagedFindings = closed({
  findings: Type.Array(closed({ id: Uuid, status: choice(findingStatuses) })),
});

const exportFormats = ['csv', 'json', 'sarif', 'ocsf'] as const;
export type ExportFormat = (typeof exportFormats)[number];
export const ExportFindings = closed({ ...filters, format: choice(exportFormats) });
