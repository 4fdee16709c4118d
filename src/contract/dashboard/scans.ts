import { type Static, Type } from 'typebox';
import { findingStatuses } from '../findings.ts';
import { Run, Scan, scanStatuses, verdicts } from '../scans.ts';
import { Severity } from '../severity.ts';
import { choice, closed, NullableUuid, nullable, page, several, Uuid } from '../values.ts';
import { Named } from './findings.ts';

/** Who assessed the source instead of a scan of it. `service`: the service itself, whether the probe reports. */
const Reporter = closed({
  kind: choice(['probe', 'shield', 'service']),
  /** Of a probe. */
  name: nullable(Type.String()),
  version: nullable(Type.String()),
});
export type Reporter = Static<typeof Reporter>;

const rowFields = {
  ...Scan.properties,
  target: closed({ kind: choice(['system', 'source']), id: Uuid, name: Type.String() }),
  finding_id: NullableUuid,
  runs_ended: Type.Integer({ minimum: 0 }),
  reporter: Type.Union([Reporter, Type.Null()], { description: 'Null for a scan that was requested.' }),
};
export const ScanRow = closed(rowFields);
export type ScanRow = Static<typeof ScanRow>;

export const ListScans = closed({
  status: Type.Optional(several(scanStatuses)),
  verdict: Type.Optional(several(verdicts)),
  system_id: Type.Optional(Uuid),
  source_id: Type.Optional(Uuid),
  cursor: page.cursor,
});
export type ListScans = Static<typeof ListScans>;

const Count = Type.Integer({ minimum: 0 });

/** A scan in the list, with what it changed so far. */
const ListedScan = closed({
  ...rowFields,
  opened: Type.Integer({ minimum: 0, description: 'Findings that it opened or reopened.' }),
  resolved: Count,
});
export type ListedScan = Static<typeof ListedScan>;

export const ScanPage = closed({
  scans: Type.Array(ListedScan),
  next_cursor: Type.Union([Type.String(), Type.Null()]),
});
export type ScanPage = Static<typeof ScanPage>;

const { source_id: _, ...run } = Run.properties;
const RunRow = closed({
  ...run,
  source: Named,
  cause: Type.Union([Type.String(), Type.Null()], {
    description: 'Why the run did not succeed, in one sentence.',
  }),
});

export const ScanDetail = closed({
  ...rowFields,
  meaning: Type.Union([Type.String(), Type.Null()], { description: 'Meaning of the verdict.' }),
  runs: Type.Array(RunRow, { description: 'One page of runs.' }),
});
export type ScanDetail = Static<typeof ScanDetail>;
/** Runs are paginated: the cursor returns the same scan with the next page of runs. */
export const ReadScan = closed({ cursor: page.cursor });
export const ScanDetailPage = closed({
  scan: ScanDetail,
  next_cursor: Type.Union([Type.String(), Type.Null()]),
});
export type ScanDetailPage = Static<typeof ScanDetailPage>;

const ScanFinding = closed({
  id: Uuid,
  severity: Severity,
  status: choice(findingStatuses, 'Now, which later scans and triage may have changed.'),
  category: Type.String(),
  title: Type.String(),
  locator: Type.String(),
  source: Named,
});
export type ScanFinding = Static<typeof ScanFinding>;
const ScanChange = closed({
  total: Count,
  findings: Type.Array(ScanFinding, { description: 'The most severe.' }),
});
export type ScanChange = Static<typeof ScanChange>;

/** What a scan changed, and what it could not assess. */
export const ScanChanges = closed({
  opened: ScanChange,
  reopened: ScanChange,
  resolved: ScanChange,
  still_open: Type.Union([Count, Type.Null()], {
    description:
      'Findings of its sources that were detected before it and still by it, whatever people decided. Null while it runs.',
  }),
  not_assessed: closed({
    total: Count,
    checks: Type.Array(
      closed({
        check: Type.String(),
        title: Type.Union([Type.String(), Type.Null()]),
        reason: Type.Union([Type.String(), Type.Null()]),
        source: Named,
      }),
    ),
  }),
  is_latest: Type.Boolean({
    description: 'Only of the latest scan of a source is it known which checks were not assessed.',
  }),
});
export type ScanChanges = Static<typeof ScanChanges>;

/** Exactly one of `system_id` and `source_id`. */
export const StartScan = closed({ system_id: Type.Optional(Uuid), source_id: Type.Optional(Uuid) });
export const StartFullScan = closed({ source_id: Uuid });
