import type { EventCounts, EventFilters } from '../../contract/dashboard/events.ts';
import type { TenantSession, TenantStore } from '../../database/tenant-store.ts';
import { timestampOf } from '../../domain/timestamp.ts';
import { day, hour, type Period, periodOf, withinSeconds } from './period.ts';

/** Longest period counted by hours instead of days. */
const longestByHour = 3 * day;

/** Limits of the buckets of a period, and of the kinds that are listed. */
const mostBuckets = 368;
const mostKinds = 20;

/** Events that are counted by themselves if some have no counts by kind: in less than 100 ms. */
const mostRecounted = 20_000;

/** The kind of events that are counted together, because their organization has too many kinds. */
const others = '';

/** The system of the series that count all systems together. */
const allSystems = '00000000-0000-0000-0000-000000000000';

/**
 * Reads the counts of each series and span by the primary key. Of a system's few series, the planner would read the counts of all
 * times; all systems together can have thousands of series, whose counts it reads by time.
 */
const oneByOne = 'offset 0';

/**
 * How many events occurred over the filters' period, by default the last seven days. Throws `invalid_query` if there
 * are too many to count. Of many events, those that are counted together, whatever their kinds, are not counted by kind.
 */
export async function countEvents(store: TenantStore, filters: EventFilters): Promise<EventCounts> {
  const period = periodOf(filters);
  const bucket = period.to.getTime() - period.from.getTime() <= longestByHour ? 'hour' : 'day';
  const rows = await withinSeconds(store, async session => {
    const counted = await countWithin(session, filters, bucket, partsOf(period, bucket));
    const all = counted.reduce((sum, { at, count }) => sum + (at === null ? 0 : count), 0);
    // Only the events themselves have their kinds.
    const recounts =
      counted.some(({ kind }) => kind === others) && (filters.kind !== undefined || all <= mostRecounted);
    return recounts ? countWithin(session, filters, bucket, wholly(period)) : counted;
  });
  const counted = rows.flatMap(({ at, count, shield }) => (at ? { at, events: count - shield, shield } : []));
  const kinds = rows.flatMap(({ kind, count }) => (kind ? { kind, count } : [])).slice(0, mostKinds);
  const of_other_kinds = rows.find(({ kind }) => kind === others)?.count ?? 0;
  const more_kinds = (rows[0]?.kinds ?? 0) - kinds.length - (of_other_kinds > 0 ? 1 : 0);
  const counts = filled(counted, period, bucket);
  const [from, to] = [timestampOf(period.from), timestampOf(period.to)];
  return { from, to, bucket, counts, kinds, more_kinds, of_other_kinds };
}

/** How the events of a period are counted. */
interface Parts {
  /** By the events themselves: before whole hours, and after them. */
  readonly before: Period;
  readonly after: Period;
  /** Whether the events after the whole hours are added, or subtracted. */
  readonly sign: 1 | -1;
  /** By what was stored since the counts were updated. */
  readonly between: Period;
  /** By the counts of hours and days: of each system, or of all together. */
  readonly spans: readonly (Period & { readonly grain: 'hour' | 'day' })[];
}

function partsOf(period: Period, bucket: 'hour' | 'day'): Parts {
  // Most periods end now. Of this hour, there are few events after that, and perhaps very many before.
  const endOfHour = new Date(Math.ceil(period.to.getTime() / hour) * hour);
  const isOpen = endOfHour.getTime() > Date.now();
  const hours = within({ from: period.from, to: isOpen ? endOfHour : period.to }, hour);
  if (!hours) return wholly(period);
  const days = bucket === 'day' ? within(hours, day) : undefined;
  const spans = days
    ? ([
        { grain: 'hour', from: hours.from, to: days.from },
        { grain: 'day', ...days },
        { grain: 'hour', from: days.to, to: hours.to },
      ] as const)
    : ([{ grain: 'hour', ...hours }] as const);
  return {
    before: { from: period.from, to: hours.from },
    after: isOpen ? { from: period.to, to: hours.to } : { from: hours.to, to: period.to },
    sign: isOpen ? -1 : 1,
    between: hours,
    spans: spans.filter(({ from, to }) => from < to),
  };
}

/** By the events alone. */
function wholly(period: Period): Parts {
  const none = { from: period.to, to: period.to };
  return { before: period, after: none, sign: 1, between: none, spans: [] };
}

/** The whole hours or days of a period; undefined if there are none. */
function within({ from, to }: Period, length: number): Period | undefined {
  const first = Math.ceil(from.getTime() / length) * length;
  const last = Math.floor(to.getTime() / length) * length;
  return first < last ? { from: new Date(first), to: new Date(last) } : undefined;
}

/** Every bucket, then the most frequent kinds, in one pass. A client can send as many kinds as events. */
function countWithin(
  session: TenantSession,
  filters: EventFilters,
  bucket: 'hour' | 'day',
  { before, after, sign, between, spans }: Parts,
): Promise<Counted[]> {
  const { channel = null, kind = null, system_id = null } = filters;
  return session.query<Counted>({
    text: `with part (at, channel, kind, count) as (
        select date_trunc($1, occurred_at), channel, kind, (count(*) filter (where occurred_at < $3)
            + $15::int * count(*) filter (where occurred_at >= $4))::int from events
          where (occurred_at >= $2 and occurred_at < $3 or occurred_at >= $4 and occurred_at < $5)
            and ($6::text is null or channel = $6) and ($7::text is null or kind = $7)
            and ($8::uuid is null or system_id = $8)
          group by 1, 2, 3
        union all
        select date_trunc($1, hour), channel, kind, count from event_count_deltas
          where hour >= $9 and hour < $10 and ($6 is null or channel = $6) and ($7 is null or kind = $7)
            and ($8 is null or system_id = $8)
        union all
        select date_trunc($1, c.at), s.channel, s.kind, c.count
          from unnest($11::text[], $12::timestamptz[], $13::timestamptz[]) as span (grain, since, until)
          cross join event_series s
          cross join lateral (select at, count from event_counts
            where organization_id = s.organization_id and series = s.id
              and grain = span.grain and at >= span.since and at < span.until
              -- Not in the partitions of the future, which are empty.
              and received_day < now() + interval '1 day'
            ${system_id === null ? '' : oneByOne}) c
          where s.system_id = coalesce($8, '${allSystems}') and ($6 is null or s.channel = $6)
            and ($7 is null or s.kind in ($7, '${others}')))
      select at, kind, sum(count) as count, coalesce(sum(count) filter (where channel = 'shield'), 0) as shield,
        count(kind) over ()::int as kinds
      from part group by grouping sets ((at), (kind)) having sum(count) <> 0
      order by kind is not null, kind <> '${others}', count desc, kind limit $14`,
    values: [
      bucket,
      before.from,
      before.to,
      after.from,
      after.to,
      channel,
      kind,
      system_id,
      between.from,
      between.to,
      spans.map(({ grain }) => (system_id === null ? `${grain}_of_all` : grain)),
      spans.map(({ from }) => from),
      spans.map(({ to }) => to),
      mostBuckets + mostKinds,
      sign,
    ],
  });
}

/** The count of a bucket of time, or of a kind. */
interface Counted {
  readonly at: string | null;
  readonly kind: string | null;
  readonly count: number;
  readonly shield: number;
  /** The total number of kinds. */
  readonly kinds: number;
}

/** Every hour or day of the period, including those without events. */
function filled(
  counted: readonly { at: string; events: number; shield: number }[],
  { from, to }: Period,
  bucket: 'hour' | 'day',
): EventCounts['counts'] {
  const length = bucket === 'hour' ? hour : day;
  const known = new Map(counted.map(row => [new Date(row.at).getTime(), row]));
  const counts: EventCounts['counts'] = [];
  for (let at = Math.floor(from.getTime() / length) * length; at < to.getTime(); at += length) {
    const { events = 0, shield = 0 } = known.get(at) ?? {};
    counts.push({ at: timestampOf(new Date(at)), events, shield });
  }
  return counts;
}
