import { type Static, Type } from 'typebox';
import { RiskStatement, Source, sourceKinds, sourceStatuses } from '../sources.ts';
import { choice, closed, NullableTimestamp, page, several, Timestamp, text, Uuid } from '../values.ts';
import { Named, SeverityCounts } from './findings.ts';
import { SourceReport } from './probes.ts';
import { ScanRow } from './scans.ts';
import { Score } from './systems.ts';

const sourceActions = ['accept_risk', 'store_credential', 'test', 'authorize_scan'] as const;
const nextActions = [...sourceActions, 'run_probe', 'scan', 'watch', 'connect_anew'] as const;

/** What the state of a source allows, and the next setup step. */
const SourceState = closed({
  actions: Type.Array(choice(sourceActions)),
  allows: Type.String(),
  next: Type.Union([closed({ action: choice(nextActions), text: Type.String() }), Type.Null()]),
});

/** Hours between Watch scans. */
const watchIntervals = [1, 6, 12, 24, 168] as const;
const WatchInterval = Type.Unsafe<(typeof watchIntervals)[number]>({
  type: 'integer',
  enum: [...watchIntervals],
});

/** `dropped`: it was removed from the configuration of its probe. */
const sourceProbeStates = ['reporting', 'silent', 'key_revoked', 'key_expired', 'dropped'] as const;
export type SourceProbeState = (typeof sourceProbeStates)[number];

const rowFields = {
  ...Source.properties,
  probe_state: Type.Union([choice(sourceProbeStates), Type.Null()], {
    description:
      'How the probe that reported on it last reports; null without one. If it is not `reporting`, its status is not known.',
  }),
  system: Named,
  created_at: Timestamp,
  score: Score,
  open: SeverityCounts,
  state: SourceState,
  watch_every_hours: Type.Union([WatchInterval, Type.Null()]),
  last_scan: Type.Union([ScanRow, Type.Null()]),
};
export const SourceRow = closed(rowFields);
export type SourceRow = Static<typeof SourceRow>;

export const ListSources = closed({
  search: Type.Optional(text(200, 'Part of the name or host. Case-insensitive.')),
  status: Type.Optional(several(sourceStatuses)),
  kind: Type.Optional(several(sourceKinds)),
  system_id: Type.Optional(Uuid),
  cursor: page.cursor,
});
export type ListSources = Static<typeof ListSources>;

export const SourcePage = closed({
  sources: Type.Array(SourceRow),
  next_cursor: Type.Union([Type.String(), Type.Null()]),
});
export type SourcePage = Static<typeof SourcePage>;

/** Publish the token in the DNS record or at the URL. */
export const DomainProof = closed({
  record: closed({ name: Type.String(), type: Type.Literal('TXT') }),
  url: Type.String(),
  token: Type.Union([Type.String(), Type.Null()], { description: 'Null until requested.' }),
  proven_by: Type.Union([choice(['dns_txt', 'well_known_file']), Type.Null()]),
  proven_at: NullableTimestamp,
  valid_until: NullableTimestamp,
});
export type DomainProof = Static<typeof DomainProof>;
export const DomainProofEnvelope = closed({ proof: DomainProof });
/** `found`: whether this check found the token. */
export const CheckedDomainProof = closed({ found: Type.Boolean(), proof: DomainProof });

const Assessment = closed({
  check: Type.String(),
  title: Type.Union([Type.String(), Type.Null()]),
  outcome: choice(['passed', 'observed', 'not_assessed', 'not_applicable'] as const),
  reason: Type.Union([Type.String(), Type.Null()]),
  looked_at: Timestamp,
});

const Watch = closed({ every_hours: WatchInterval, next_scan_at: Timestamp });
export const TurnWatchOn = closed({ every_hours: WatchInterval });
export const WatchEnvelope = closed({ watch: Type.Union([Watch, Type.Null()]) });

export const SourceDetail = closed({
  ...rowFields,
  risk_statement: RiskStatement,
  risk_accepted: Type.Union([
    closed({ statement_version: Type.String(), accepted_at: Timestamp }),
    Type.Null(),
  ]),
  credential: closed({
    types: Type.Array(choice(['basic', 'header', 'dsn', 'service_role'] as const), {
      description: 'Accepted credential types; none in probe mode.',
    }),
    stored: Type.Union([closed({ type: Type.String(), stored_at: Timestamp }), Type.Null()]),
    allowed: Type.Boolean({ description: 'False if privileged connections are off.' }),
  }),
  nothing_assessed: Type.Union(
    [
      closed({
        causes: Type.Array(Type.String(), { description: 'Cause and fix of each, in one or two sentences.' }),
      }),
      Type.Null(),
    ],
    {
      description:
        'Why the last scan assessed nothing of the source, the most frequent cause first. Null if it assessed something, or has not finished. Without causes, only `assessments` has the reasons.',
    },
  ),
  failed_test: Type.Union(
    [
      closed({ checked_at: Timestamp, error_code: Type.String(), what: Type.String(), fix: Type.String() }),
      Type.Null(),
    ],
    {
      description:
        'The last connection test if it failed: when, what happened and what to do. Null until a test fails, and after one passed.',
    },
  ),
  watch: Type.Union([Watch, Type.Null()]),
  report: Type.Union([SourceReport, Type.Null()], { description: 'The newest report of a probe.' }),
  dropped: Type.Union(
    [closed({ probe: Named, removed: Type.Boolean(), dropped_at: Timestamp }), Type.Null()],
    { description: 'The probe that reported on it, and when it no longer named it, or was removed.' },
  ),
  domain_proof: Type.Union([DomainProof, Type.Null()], {
    description: 'Null if the source has no domain, or a probe assesses it.',
  }),
  assessments: Type.Array(Assessment),
});
export type SourceDetail = Static<typeof SourceDetail>;
export const SourceDetailEnvelope = closed({ source: SourceDetail });
export const SourceTest = closed({
  test: closed({
    ok: Type.Boolean(),
    checked_at: Timestamp,
    latency_ms: Type.Integer({ minimum: 0 }),
    error_code: Type.Union([Type.String(), Type.Null()]),
    error: Type.Union([Type.String(), Type.Null()], {
      description: 'Cause and fix, in one or two sentences.',
    }),
  }),
});
