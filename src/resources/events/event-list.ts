import type { EventPage, EventRow, ListEvents } from '../../contract/dashboard/events.ts';
import { readPage } from '../../database/page.ts';
import type { TenantSession, TenantStore } from '../../database/tenant-store.ts';
import { namedKinds, senderOfEvent } from './event-sender.ts';
import { periodOf, withinSeconds } from './period.ts';

/** Events per page. */
const pageLength = '50';
/** The sort order: an id is unique within its system and channel. */
const order = { occurred_at: 'timestamptz', id: 'uuid', channel: 'text', system_id: 'uuid' } as const;

interface ListedRow extends EventRow {
  readonly system_id: string;
}

/**
 * Newest first by time of occurrence, which has millisecond precision. Throws `invalid_query` if there are too many
 * events to filter in time.
 */
export async function listEventRows(store: TenantStore, query: ListEvents): Promise<EventPage> {
  if (query.from !== undefined || query.to !== undefined) periodOf(query);
  const list = { organization: store.organizationId, name: 'events', order };
  const { kind = null, system_id = null, from = null, to = null } = query;
  return withinSeconds(store, async session => {
    const { keyIds, name, channel = query.channel ?? null } = await senderOf(session, query);
    const isFiltered = channel !== null || kind !== null || system_id !== null || keyIds !== null;
    const { rows, next_cursor } = await readPage(list, { ...query, limit: pageLength }, async page => {
      const last = page.after;
      const read = (source: keyof typeof pages) =>
        session.query<ListedRow>({
          text: `with page as materialized (${pages[source]})
            select page.occurred_at, page.id, page.channel, page.system_id, e.kind,
              json_build_object('id', y.id, 'name', y.name) as system,
              json_build_object('id', e.key_id, 'name', k.name) as key, ${senderOfEvent('$13')} as sender, page.received_at
            from page cross join lateral (
              select system_id, channel, kind, key_id, payload from events where retention_days = page.retention_days
                and received_at = page.received_at and system_id = page.system_id and channel = page.channel
                and id = page.id
              -- By index, whatever the planner expects.
              offset 0) as e
            join systems y on y.id = page.system_id left join api_keys k on k.id = e.key_id
            order by page.occurred_at desc, page.id desc, page.channel desc, page.system_id desc`,
          values: [
            channel,
            kind,
            system_id,
            keyIds,
            from,
            to,
            last?.occurred_at ?? null,
            last?.id ?? null,
            last?.channel ?? null,
            last?.system_id ?? null,
            page.limit,
            name,
            namedKinds,
          ],
        });
      if (!isFiltered) return read('all');
      const newest = await read('newest');
      if (newest.length === page.limit) return newest;
      const found = await read('series');
      // After it: each statement sees the counts at its time.
      return (await areAllSeriesKnown(session, channel, system_id)) ? found : read('all');
    });
    return { events: rows.map(({ system_id: _, ...event }) => event), next_cursor };
  });
}

/** Null for any. */
interface Sender {
  readonly keyIds: readonly string[] | null;
  /** Of a probe, if others use its keys too. */
  readonly name: string | null;
  readonly channel?: string;
}

async function senderOf(session: TenantSession, { key_id, probe_id, channel }: ListEvents): Promise<Sender> {
  if (probe_id !== undefined && channel === 'shield') return { keyIds: [], name: null };
  if (key_id !== undefined) return { keyIds: [key_id], name: null };
  if (probe_id === undefined) return { keyIds: null, name: null };
  const keys = await session.query<{ key_id: string; name: string; shared: boolean }>({
    text: `select k.key_id, p.name, exists (select from probe_keys o where o.key_id = k.key_id and o.probe_id <> p.id) as shared
      from probe_keys k join probes p on p.id = k.probe_id where p.id = $1`,
    values: [probe_id],
  });
  const name = keys.find(({ shared }) => shared)?.name ?? null;
  return { keyIds: keys.map(key => key.key_id), name, channel: 'events' };
}

const matches = `($1::text is null or channel = $1) and ($2::text is null or kind = $2)
  and ($3::uuid is null or system_id = $3) and ($4::uuid[] is null or key_id = any($4))`;

/** Series and keys whose events match: those that are counted, and those of what was stored since. */
const series = `
  select s.system_id, s.channel, s.kind, k.key_id from event_series s
    join event_series_keys k on (k.organization_id, k.series) = (s.organization_id, s.id)
    where ($1::text is null or s.channel = $1) and ($2::text is null or s.kind = $2)
      and ($3::uuid is null or s.system_id = $3) and ($4::uuid[] is null or k.key_id = any($4))
  union
  select system_id, channel, kind, key_id from event_count_deltas where ${matches}`;

const isNamed = `($12::text is null or payload -> 'probe' ->> 'name' = $12)`;
const listed = 'occurred_at, id, channel, system_id, retention_days, received_at';
const within = `($5::timestamptz is null or occurred_at >= $5) and ($6::timestamptz is null or occurred_at < $6)
  and ($7::timestamptz is null or (occurred_at, id, channel, system_id) < ($7, $8::uuid, $9::text, $10::uuid))`;
const newestFirst = 'occurred_at desc, id desc, channel desc, system_id desc';
const ofPage = `${newestFirst} limit $11`;
/** By the index of the hash, which others could share. */
const ofSeries = `select ${listed} from events
  where ${within} and series_hash = series.hash and system_id = series.system_id and channel = series.channel
    and kind = series.kind and key_id = series.key_id and ${isNamed}
  order by occurred_at desc, id desc limit`;

/** Events that are read by time before those of series. */
const newestEvents = 2_000;

/** The events of a page. */
const pages = {
  all: `select ${listed} from events where ${within} and ${matches} and ${isNamed} order by ${ofPage}`,
  /** If those that match are frequent. */
  newest: `select ${listed} from (
      select ${listed}, kind, key_id, payload from events where ${within}
      order by ${newestFirst} limit ${newestEvents}) as newest
    where ${matches} and ${isNamed} order by ${ofPage}`,
  /** If they are rare. They are in as many series as a page has events: those with the newest. */
  series: `select e.* from (
      select series.* from (
        select *, event_series_hash(system_id, channel, kind, key_id) as hash from (${series}) as matching) as series
      cross join lateral (${ofSeries} 1) as newest
      order by newest.occurred_at desc, newest.id desc, newest.channel desc, newest.system_id desc limit $11) as series
    cross join lateral (${ofSeries} $11) as e
    order by ${ofPage}`,
} as const;

/** Of too many series, some are counted together: it is not known which there are. */
async function areAllSeriesKnown(
  session: TenantSession,
  channel: string | null,
  systemId: string | null,
): Promise<boolean> {
  const together = await session.query({
    text: `select id from event_series where kind = '' and ($1::text is null or channel = $1)
      and ($2::uuid is null or system_id = $2) limit 1`,
    values: [channel, systemId],
  });
  return together.length === 0;
}
