import type {
  EventCounts,
  EventFilters,
  EventPage,
  EventRow,
  ListEvents,
} from '../../contract/dashboard/events.ts';
import { when } from '../../database/expressions.ts';
import { pageOf, readPage } from '../../database/page.ts';
import { db } from '../../database/query-builder.ts';
import type { TenantSession, TenantStore } from '../../database/tenant-store.ts';
import { Refusal } from '../../domain/refusal.ts';
import { timestampOf } from '../../domain/timestamp.ts';

/** Events per page. */
const pageLength = '50';
const hour = 3_600_000;
const day = 24 * hour;
/** The sort order: an id is unique within its system and channel. */
const order = { occurred_at: 'timestamptz', id: 'uuid', channel: 'text', system_id: 'uuid' } as const;
/** The longest period that is counted, and the default one. */
const longest = 366 * day;
const usual = 7 * day;
/** Longest period counted by hours instead of days. */
const longestByHour = 3 * day;

/** Limits of the buckets of a period, and of the kinds that are listed. */
const mostBuckets = 368;
const mostKinds = 20;

interface Period {
  readonly from: Date;
  readonly to: Date;
}

/** The filters' period, or the default one. Throws `invalid_query` for an invalid period. */
function periodOf(filters: EventFilters): Period {
  const to = filters.to === undefined ? new Date() : new Date(filters.to);
  const from = filters.from === undefined ? new Date(to.getTime() - usual) : new Date(filters.from);
  const length = to.getTime() - from.getTime();
  if (!(from.getTime() >= 0 && length > 0 && length <= longest)) {
    const message = 'must be a time from 1970 on, before `to`, and at most 366 days before it';
    throw new Refusal('invalid_query', { fields: [{ path: 'from', message }] });
  }
  return { from, to };
}

/**
 * Newest first by time of occurrence, which has millisecond precision. Throws `invalid_query` if there are too many
 * events to filter in time.
 */
export async function listEventRows(store: TenantStore, query: ListEvents): Promise<EventPage> {
  if (query.from !== undefined || query.to !== undefined) periodOf(query);
  const list = { organization: store.organizationId, name: 'events', order };
  const { channel, kind, system_id, from, to } = query;
  const matching = db
    .selectFrom('events')
    .select(['occurred_at', 'id', 'channel', 'system_id'])
    .where(({ and, eb }) =>
      and([
        ...when(channel, word => eb('channel', '=', word)),
        ...when(kind, word => eb('kind', '=', word)),
        ...when(system_id, id => eb('system_id', '=', id)),
        ...when(from, time => eb('occurred_at', '>=', new Date(time).toISOString())),
        ...when(to, time => eb('occurred_at', '<', new Date(time).toISOString())),
      ]),
    );
  return withinSeconds(store, async session => {
    const { rows, next_cursor } = await readPage(list, { ...query, limit: pageLength }, page =>
      session.query(pageOf(matching, order, page)),
    );
    const events = await session.query<EventRow>({
      text: `select e.id, e.channel, e.kind, json_build_object('id', y.id, 'name', y.name) as system,
          json_build_object('id', e.key_id, 'name', k.name) as key, e.occurred_at, e.received_at
        from unnest($1::uuid[], $2::text[], $3::uuid[]) with ordinality as page (system_id, channel, id, place)
          join events e using (system_id, channel, id) join systems y on y.id = e.system_id
          left join api_keys k on k.id = e.key_id
        order by page.place`,
      values: [rows.map(row => row.system_id), rows.map(row => row.channel), rows.map(row => row.id)],
    });
    return { events, next_cursor };
  });
}

/** Seconds for a query: the number of events is limited only by the rate of requests. */
const longestSeconds = 5;
const queryCanceled = '57014';

/**
 * How many events occurred over the filters' period, by default the last seven days. Throws `invalid_query` if there
 * are too many to count.
 */
export async function countEvents(store: TenantStore, filters: EventFilters): Promise<EventCounts> {
  const { from, to } = periodOf(filters);
  const bucket = to.getTime() - from.getTime() <= longestByHour ? 'hour' : 'day';
  const { channel = null, kind = null, system_id = null } = filters;
  // One pass for both: every bucket, then the most frequent kinds. A client can send as many kinds as events.
  const rows = await withinSeconds(store, session =>
    session.query<Counted>({
      text: `select date_trunc($1, occurred_at) as at, kind, count(*)::int as count,
          (count(*) filter (where channel = 'shield'))::int as shield, count(kind) over ()::int as kinds
        from events where occurred_at >= $2 and occurred_at < $3 and ($4::text is null or channel = $4)
          and ($5::text is null or kind = $5) and ($6::uuid is null or system_id = $6)
        group by grouping sets ((date_trunc($1, occurred_at)), (kind))
        order by kind is not null, count desc, kind limit $7`,
      values: [bucket, from, to, channel, kind, system_id, mostBuckets + mostKinds],
    }),
  );
  const counted = rows.flatMap(({ at, count, shield }) => (at ? { at, events: count - shield, shield } : []));
  const kinds = rows.flatMap(({ kind, count }) => (kind === null ? [] : { kind, count })).slice(0, mostKinds);
  const more_kinds = (rows[0]?.kinds ?? 0) - kinds.length;
  const counts = filled(counted, { from, to }, bucket);
  return { from: timestampOf(from), to: timestampOf(to), bucket, counts, kinds, more_kinds };
}

function withinSeconds<T>(store: TenantStore, read: (session: TenantSession) => Promise<T>): Promise<T> {
  return store.read(async session => {
    await session.query({ text: `set local statement_timeout = '${longestSeconds}s'` });
    return read(session).catch(error => {
      if (error.code !== queryCanceled) throw error;
      const message = 'must cover a shorter period: there are too many events to read in time';
      throw new Refusal('invalid_query', { fields: [{ path: 'from', message }] }, { cause: error });
    });
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
