import { type Static, Type } from 'typebox';
import { findingStatuses } from '../findings.ts';
import { Remediation } from '../remediation.ts';
import { Severity, severities } from '../severity.ts';
import { sourceKinds } from '../sources.ts';
import {
  choice,
  closed,
  NullableTimestamp,
  NullableUuid,
  page,
  several,
  Timestamp,
  text,
  Uuid,
} from '../values.ts';

/** What a list of findings can be narrowed by. Several words of one field are joined by commas. */
const filters = {
  severity: Type.Optional(several(severities)),
  status: Type.Optional(several(findingStatuses)),
  category: Type.Optional(
    Type.String({
      maxLength: 128,
      pattern: '^[a-z0-9_]+(\\.[a-z0-9_]+)*$',
      description: 'A category or a dotted prefix. `hipaa`: checks that map to a HIPAA safeguard.',
    }),
  ),
  system_id: Type.Optional(Uuid),
  source_id: Type.Optional(Uuid),
  search: Type.Optional(text(200, 'Part of the title, the category or the place, in any case.')),
  reopened: Type.Optional(choice(['yes'], 'Only findings that had been gone and came back.')),
};
export const FindingFilters = closed(filters);
export type FindingFilters = Static<typeof FindingFilters>;

const findingOrders = ['worst', 'newest', 'last_seen'] as const;
export type FindingOrder = (typeof findingOrders)[number];
const order = Type.Optional(
  choice(
    findingOrders,
    'worst (default): by severity, then newest. last_seen: what was seen last comes first.',
  ),
);

export const ListFindings = closed({ ...filters, order, cursor: page.cursor });
export type ListFindings = Static<typeof ListFindings>;

/** An object by its name. */
export const Named = closed({ id: Uuid, name: Type.String() });

const rowFields = {
  id: Uuid,
  severity: Severity,
  status: choice(findingStatuses),
  category: Type.String(),
  title: Type.String(),
  locator: Type.String({ description: 'Where on the source it is.' }),
  created_at: Timestamp,
  last_seen_at: Timestamp,
  accepted_until: NullableTimestamp,
  reopened: Type.Boolean({ description: 'It had been gone and came back.' }),
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

/** Of the findings that the filters leave; of each severity as if none was chosen, and so of each status. */
export const FindingCounts = closed({
  total: Count,
  by_severity: SeverityCounts,
  by_status: closed({ open: Count, resolved: Count, accepted: Count, false_positive: Count }),
});
export type FindingCounts = Static<typeof FindingCounts>;

/** From when it was seen until it was gone. */
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
  by: Type.Union([Type.String(), Type.Null()], { description: 'A name; null: the service.' }),
  decided_at: Timestamp,
});

/** What a check says of a safeguard. */
export const Effect = choice(
  ['lowers', 'shows'] as const,
  'Whether a pass shows the safeguard working, or only that no problem was found.',
);

const Safeguard = closed({
  citation: Type.String(),
  title: Type.String(),
  effect: Effect,
  reason: Type.String({ description: 'Why the check says something about the safeguard.' }),
});

export const FindingDetail = closed({
  ...rowFields,
  subject: Type.Union([Type.String(), Type.Null()], {
    description:
      'The page or database it was seen in last, where its check looks at one of several: only a scan of the same resolves it.',
  }),
  seen: Type.String({ description: 'What was seen, in a sentence. Secrets are masked.' }),
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
    { description: 'What the check is about; null where this version has it no more.' },
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
    { description: 'What the last look at the source made of the check.' },
  ),
  verification: closed({
    possible: Type.Boolean(),
    text: Type.String({ description: 'What looking again would do, or why it cannot be done.' }),
    scan_id: NullableUuid,
  }),
  episodes: Type.Array(Episode),
  decisions: Type.Array(DecisionEntry),
});
export type FindingDetail = Static<typeof FindingDetail>;
export const FindingDetailEnvelope = closed({ finding: FindingDetail });

const reason = text(1000, 'Why, for whoever reads it later.');
export const TriageDecision = Type.Union([
  closed({ decision: Type.Literal('accepted'), reason, until: Timestamp }),
  closed({ decision: Type.Literal('false_positive'), reason }),
  closed({ decision: Type.Literal('reopened'), reason: Type.Optional(reason) }),
]);
export type TriageDecision = Static<typeof TriageDecision>;

/** The findings that one decision can be about. */
const triageLimit = 500;
export const TriageFindings = closed({
  ids: Type.Array(Uuid, { minItems: 1, maxItems: triageLimit, uniqueItems: true }),
  decision: TriageDecision,
});
export const TriagedFindings = closed({
  findings: Type.Array(closed({ id: Uuid, status: choice(findingStatuses) })),
});

const exportFormats = ['csv', 'json', 'sarif', 'ocsf'] as const;
export type ExportFormat = (typeof exportFormats)[number];
export const ExportFindings = closed({ ...filters, format: choice(exportFormats) });
