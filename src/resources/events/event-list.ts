import type { EventFilters, EventPage, EventRow, ListEvents } from '../../contract/dashboard/events.ts';
import { readPage } from '../../database/page.ts';
import type { TenantSession, TenantStore } from '../../database/tenant-store.ts';
import { hour, type Period, periodOf, withinSeconds } from './period.ts';

/** Events per page. */
const pageLength = '50';
/** The sort order: an id is unique within its system and channel. */
const order = { occurred_at: 'timestamptz', id: 'uuid', channel: 'text', system_id: 'uuid' } as const;

/** Hours with a matching event in each, except the first and the last: together they have those of a page. */
const enoughHours = Number(pageLength) + 3;
const endOfTime = Date.UTC(10_000, 0);

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
  const { channel = null, kind = null, system_id = null, key_id = null } = query;
  return withinSeconds(store, async session => {
    const { rows, next_cursor } = await readPage(list, { ...query, limit: pageLength }, async page => {
      const spans = await spansOf(session, query, page.after?.occurred_at);
      const used = await useOf(session, key_id);
      const {
        occurred_at = null,
        id = null,
        channel: channelOfLast = null,
        system_id: systemOfLast = null,
      } = page.after ?? {};
      return session.query<ListedRow>({
        text: `with page as materialized (
            select e.* from unnest($1::timestamptz[], $2::timestamptz[]) as span (since, until) cross join lateral (
              select occurred_at, id, channel, system_id, retention_days, received_at from events
              where occurred_at >= span.since and occurred_at < span.until and ($3::text is null or channel = $3)
                and ($4::text is null or kind = $4) and ($5::uuid is null or system_id = $5) and ($11::uuid is null or key_id = $11)
                and ($12::timestamptz is null or received_at >= $12) and ($13::timestamptz is null or received_at <= $13) and ($6::timestamptz is null
                or (occurred_at, id, channel, system_id) < ($6, $7::uuid, $8::text, $9::uuid))
              order by occurred_at desc, id desc, channel desc, system_id desc limit $10) as e
            order by e.occurred_at desc, e.id desc, e.channel desc, e.system_id desc limit $10)
          select page.occurred_at, page.id, page.channel, page.system_id, e.kind,
            json_build_object('id', y.id, 'name', y.name) as system,
            json_build_object('id', e.key_id, 'name', k.name) as key, page.received_at
          from page cross join lateral (
            select kind, key_id from events where retention_days = page.retention_days
              and received_at = page.received_at and system_id = page.system_id and channel = page.channel
              and id = page.id
            -- By index, whatever the planner expects.
            offset 0) as e
          join systems y on y.id = page.system_id left join api_keys k on k.id = e.key_id
          order by page.occurred_at desc, page.id desc, page.channel desc, page.system_id desc`,
        values: [
          spans.map(({ from }) => from),
          spans.map(({ to }) => to),
          channel,
          kind,
          system_id,
          occurred_at,
          id,
          channelOfLast,
          systemOfLast,
          page.limit,
          key_id,
          used?.since ?? null,
          used?.until ?? null,
        ],
      });
    });
    return { events: rows.map(({ system_id: _, ...event }) => event), next_cursor };
  });
}

/**
 * When a key was used: its events are only in those partitions. The last use is recorded once a minute. Undefined for an
 * unknown key.
 */
async function useOf(
  session: TenantSession,
  keyId: string | null,
): Promise<{ readonly since: string; readonly until: string | null } | undefined> {
  if (keyId === null) return undefined;
  const [key] = await session.query<{ since: string; until: string | null }>({
    text: `select created_at - interval '5 minutes' as since, last_used_at + interval '5 minutes' as until
      from api_keys where id = $1`,
    values: [keyId],
  });
  return key;
}

/**
 * The times in which the next page lies. With filters, they are hours in which matching events occurred, by their counts:
 * otherwise the last of few matching events would be searched among all others. Events are not counted by key.
 */
async function spansOf(
  session: TenantSession,
  filters: EventFilters & Pick<ListEvents, 'key_id'>,
  last: string | undefined,
): Promise<Period[]> {
  const { channel = null, kind = null, system_id = null, key_id } = filters;
  const from = new Date(filters.from ?? 0);
  const to = new Date(last === undefined ? (filters.to ?? endOfTime) : new Date(last).getTime() + 1);
  if (key_id !== undefined || (channel === null && kind === null && system_id === null))
    return [{ from, to }];
  const [others, hours] = await Promise.all([
    session.query({
      text: "select id from event_series where kind = '' and $1::text is not null limit 1",
      values: [kind],
    }),
    session.query<{ at: string }>({
      text: `select found.at from (
          select c.at from event_series s cross join lateral (
            select at from event_counts where organization_id = s.organization_id and series = s.id and grain = 'hour'
              and at >= date_trunc('hour', $4::timestamptz) and at < $5 order by at desc limit $6) as c
          where ($1::text is null or s.channel = $1) and ($2::text is null or s.kind = $2)
            and ($3::uuid is null or s.system_id = $3)
          union all
          select hour from event_count_deltas where ($1::text is null or channel = $1)
            and ($2::text is null or kind = $2) and ($3::uuid is null or system_id = $3)
            and hour >= date_trunc('hour', $4::timestamptz) and hour < $5
        ) as found group by found.at order by found.at desc limit $6`,
      values: [channel, kind, system_id, from, to, enoughHours],
    }),
  ]);
  // Of kinds that are counted together, it is not known when each occurred.
  if (others.length > 0) return [{ from, to }];
  return hours.map(({ at }) => {
    const start = new Date(at).getTime();
    return {
      from: new Date(Math.max(start, from.getTime())),
      to: new Date(Math.min(start + hour, to.getTime())),
    };
  });
}
