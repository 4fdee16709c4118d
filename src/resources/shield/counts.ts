import type { AttackClass } from '../../contract/shield-events.ts';
import type { TenantTransaction } from '../../database/tenant-store.ts';

/** Counts of an hour or a day end here: those of 400 days and all classes together are exact integers in JavaScript. */
const most = '10000000000';

/** Values of each kind that are kept of a source and day; the rest is one sum. */
const mostTops = 100;

/** Combinations of rule, path and network that are kept of a source and day. */
const mostBlocks = 2_000;

export interface Counts {
  blocked: number;
  detected: number;
}

export interface TopCount extends Counts {
  readonly kind: 'rule' | 'path' | 'network';
  /** Empty for what is not known. */
  readonly value: string;
  readonly label: string | null;
}

export interface BlockCount {
  /** All three are empty for what is not known in detail. */
  readonly rule: string;
  readonly path: string;
  readonly network: string;
  blocked: number;
  authenticated: number;
}

/** Requests of one source within a minute. */
export interface SourceCounts {
  readonly attacks: ReadonlyMap<AttackClass, Counts>;
  readonly tops: readonly TopCount[];
  readonly blocks: readonly BlockCount[];
}

/** Adds requests to the counts of a source. @param at ISO 8601 time of their minute */
export async function addCounts(
  transaction: TenantTransaction,
  sourceId: string,
  at: string,
  { attacks, tops, blocks }: SourceCounts,
): Promise<void> {
  await transaction.query({
    text: `insert into shield_hours as h (source_id, hour, attack, blocked, detected)
      select $1, date_trunc('hour', $2::timestamptz, 'UTC'), a.attack, least(a.blocked, ${most}), least(a.detected, ${most})
      from unnest($3::text[], $4::bigint[], $5::bigint[]) as a (attack, blocked, detected)
      on conflict (organization_id, source_id, hour, attack) do update
        set blocked = least(h.blocked + excluded.blocked, ${most}), detected = least(h.detected + excluded.detected, ${most})`,
    values: [
      sourceId,
      at,
      [...attacks.keys()],
      [...attacks.values()].map(({ blocked }) => blocked),
      [...attacks.values()].map(({ detected }) => detected),
    ],
  });
  const day = at.slice(0, 10);
  await addTops(transaction, sourceId, day, tops);
  await addBlocks(transaction, sourceId, day, blocks);
}

async function addTops(
  transaction: TenantTransaction,
  sourceId: string,
  day: string,
  tops: readonly TopCount[],
): Promise<void> {
  await transaction.query({
    text: `insert into shield_tops as t (source_id, day, kind, value, label, blocked, detected)
      select $1, $2, g.kind, g.value, g.label, least(g.blocked, ${most}), least(g.detected, ${most})
      from unnest($3::text[], $4::text[], $5::text[], $6::bigint[], $7::bigint[]) as g (kind, value, label, blocked, detected)
      on conflict (organization_id, source_id, day, kind, value) do update
        set blocked = least(t.blocked + excluded.blocked, ${most}), detected = least(t.detected + excluded.detected, ${most}),
          label = coalesce(excluded.label, t.label)`,
    values: [
      sourceId,
      day,
      tops.map(({ kind }) => kind),
      tops.map(({ value }) => value),
      tops.map(({ label }) => label),
      tops.map(({ blocked }) => blocked),
      tops.map(({ detected }) => detected),
    ],
  });
  await transaction.query({
    text: `with ranked as (
        select kind, value, row_number() over (partition by kind order by blocked + detected desc, value) as rank
        from shield_tops where source_id = $1 and day = $2 and value <> ''),
      gone as (
        delete from shield_tops t using ranked r
        where t.source_id = $1 and t.day = $2 and t.kind = r.kind and t.value = r.value and r.rank > $3
        returning t.kind, t.blocked, t.detected)
      insert into shield_tops as t (source_id, day, kind, value, blocked, detected)
      select $1, $2, kind, '', least(sum(blocked), ${most})::bigint, least(sum(detected), ${most})::bigint from gone group by kind
      on conflict (organization_id, source_id, day, kind, value) do update
        set blocked = least(t.blocked + excluded.blocked, ${most}), detected = least(t.detected + excluded.detected, ${most})`,
    values: [sourceId, day, mostTops],
  });
}

async function addBlocks(
  transaction: TenantTransaction,
  sourceId: string,
  day: string,
  blocks: readonly BlockCount[],
): Promise<void> {
  if (blocks.length === 0) return;
  await transaction.query({
    text: `with given as (
        select g.*, k.rule is not null as is_known,
          row_number() over (partition by k.rule is not null order by g.blocked desc, g.rule, g.path, g.network)
            + (select count(*) from shield_blocks where source_id = $1 and day = $2) as place
        from unnest($3::text[], $4::text[], $5::text[], $6::bigint[], $7::bigint[])
            as g (rule, path, network, blocked, authenticated)
          left join shield_blocks k on k.source_id = $1 and k.day = $2 and k.rule = g.rule and k.path = g.path
            and k.network = g.network),
      placed as (
        select blocked, authenticated, is_known or place <= $8 as has_room, rule, path, network from given)
      insert into shield_blocks as b (source_id, day, rule, path, network, blocked, authenticated)
      select $1, $2, case when has_room then rule else '' end, case when has_room then path else '' end,
        case when has_room then network else '' end, least(sum(blocked), ${most})::bigint, least(sum(authenticated), ${most})::bigint
      from placed group by 3, 4, 5
      on conflict (organization_id, source_id, day, rule, path, network) do update
        set blocked = least(b.blocked + excluded.blocked, ${most}), authenticated = least(b.authenticated + excluded.authenticated, ${most})`,
    values: [
      sourceId,
      day,
      blocks.map(({ rule }) => rule),
      blocks.map(({ path }) => path),
      blocks.map(({ network }) => network),
      blocks.map(({ blocked }) => blocked),
      blocks.map(({ authenticated }) => authenticated),
      mostBlocks,
    ],
  });
}
