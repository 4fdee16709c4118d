import { type Static, Type } from 'typebox';
import { AgentName } from '../agent-name.ts';
import { probeBounds } from '../probe-events.ts';
import { RiskStatement, Source, type SourceKind, sourceKinds } from '../sources.ts';
import { choice, closed, NullableTimestamp, nullable, page, Timestamp, text, Uuid } from '../values.ts';
import { Named, SeverityCounts } from './findings.ts';
import { MintedApiKey } from './keys.ts';

/** Targets of one probe. */
export const mostTargets = probeBounds.targets;

const Count = Type.Integer({ minimum: 0 });
const targetStates = ['waiting', 'ok', 'failing'] as const;

/** The key that signed the newest report. Its times are null if the key is unknown. */
const KeyOfProbe = closed({
  id: Uuid,
  name: nullable(Type.String()),
  expires_at: NullableTimestamp,
  revoked_at: NullableTimestamp,
});

const rowFields = {
  id: Uuid,
  name: Type.String(),
  system: Named,
  version: Type.String(),
  first_seen_at: Timestamp,
  last_seen_at: Timestamp,
  silent_since: NullableTimestamp,
  interval_seconds: Count,
  started_at: Timestamp,
  spool: closed({
    events: Count,
    bytes: Count,
    oldest_at: NullableTimestamp,
    as_of: Type.Union([Timestamp, Type.Null()], {
      description: 'When the probe stated this; null if its last heartbeat named no source.',
    }),
    set_aside: Type.Integer({ minimum: 0, description: 'Events that the service refused.' }),
  }),
  dropped: Type.Integer({ minimum: 0, description: 'Events that the probe dropped because of a limit.' }),
  ignored: closed({
    count: Type.Integer({ minimum: 0, description: 'Reports that changed nothing.' }),
    at: NullableTimestamp,
    reason: Type.Union([Type.String(), Type.Null()], { description: 'The newest reason, in one sentence.' }),
  }),
  targets: closed({ ok: Count, failing: Count, waiting: Count }),
  key: KeyOfProbe,
};
export const ProbeRow = closed(rowFields);
export type ProbeRow = Static<typeof ProbeRow>;

export const ListProbes = closed({ system_id: Type.Optional(Uuid), cursor: page.cursor });
export type ListProbes = Static<typeof ListProbes>;
export const ProbePage = closed({
  probes: Type.Array(ProbeRow),
  next_cursor: nullable(Type.String()),
});
export type ProbePage = Static<typeof ProbePage>;

const targetFields = {
  /** Its name in the probe's configuration. */
  name: Type.String(),
  state: choice(targetStates),
  error: Type.Union([Type.String(), Type.Null()], { description: 'Cause and fix, in one or two sentences.' }),
  checked_at: NullableTimestamp,
  reported_at: Timestamp,
  latency_ms: Count,
  every_seconds: Count,
};

const ProbeTarget = closed({
  ...targetFields,
  source: closed({ id: Uuid, name: Type.String(), kind: choice(sourceKinds), host: Type.String() }),
  open: Type.Union([SeverityCounts, Type.Null()], { description: 'Null if no check has been assessed.' }),
});
export const ProbeDetail = closed({
  ...rowFields,
  older_keys: Type.Array(closed({ id: Uuid, last_used_at: NullableTimestamp }), {
    description: 'Valid keys that it used before its current one, and that no probe or forwarder uses.',
  }),
  reports: Type.Array(ProbeTarget),
});
export type ProbeDetail = Static<typeof ProbeDetail>;
export const ProbeDetailEnvelope = closed({ probe: ProbeDetail });

/** The newest report on a source, with the probe that sent it. */
export const SourceReport = closed({
  ...targetFields,
  probe: closed({
    id: Uuid,
    name: Type.String(),
    last_seen_at: Timestamp,
    silent_since: NullableTimestamp,
    key: closed({ expires_at: NullableTimestamp, revoked_at: NullableTimestamp }),
  }),
});
export type SourceReport = Static<typeof SourceReport>;

/** Version of the risk statement that the person has read, by kind. */
const StatementVersions = closed(
  Object.fromEntries(sourceKinds.map(kind => [kind, Type.Optional(text(32))])) as Record<
    SourceKind,
    ReturnType<typeof Type.Optional<ReturnType<typeof text>>>
  >,
);

/** A new probe, and what it assesses: sources in probe mode of the system, and new ones. At least one, at most 100. */
export const AddProbe = closed({
  name: AgentName,
  sources: Type.Array(Uuid, { maxItems: mostTargets }),
  new_sources: Type.Array(closed({ kind: choice(sourceKinds), name: text(200), host: text(2048) }), {
    maxItems: mostTargets,
  }),
  statement_versions: StatementVersions,
});
export type AddProbe = Static<typeof AddProbe>;

/** Its sources, the new ones last and in their order, and the key of the probe, whose values are never shown again. */
export const AddedProbe = closed({ sources: Type.Array(Source), key: MintedApiKey });
export type AddedProbe = Static<typeof AddedProbe>;

/** The current risk statement of each kind. */
export const RiskStatements = closed({
  risk_statements: Type.Array(closed({ kind: choice(sourceKinds), ...RiskStatement.properties })),
});
export type RiskStatements = Static<typeof RiskStatements>;

/** A change of a source between two assessments, without values. */
const SourceChange = closed({
  occurred_at: Timestamp,
  event_id: Uuid,
  place: Count,
  area: Type.String(),
  name: Type.String(),
  change: Type.String(),
});
export const ListSourceChanges = closed({ cursor: page.cursor });
export const SourceChangePage = closed({
  changes: Type.Array(SourceChange),
  next_cursor: nullable(Type.String()),
});
export type SourceChangePage = Static<typeof SourceChangePage>;

const inventoryWays = ['listening_socket', 'firewall'] as const;

/** A database or website that a probe or a firewall saw and that is no source. */
export const InventoryItem = closed({
  system: Named,
  kind: choice(sourceKinds),
  host: Type.String(),
  via: choice(inventoryWays),
  /** Null for a host that a firewall saw. */
  probe: nullable(Named),
  first_seen_at: Timestamp,
  last_seen_at: Timestamp,
});
export type InventoryItem = Static<typeof InventoryItem>;
export const ListInventory = closed({
  system_id: Type.Optional(Uuid),
  via: Type.Optional(choice(inventoryWays)),
});
export type ListInventory = Static<typeof ListInventory>;
export const InventoryList = closed({ inventory: Type.Array(InventoryItem), more: Type.Boolean() });
export type InventoryList = Static<typeof InventoryList>;

/** Identifies an item of the inventory. */
export const InventoryKey = closed({ system_id: Uuid, kind: choice(sourceKinds), host: text(300) });
export type InventoryKey = Static<typeof InventoryKey>;
