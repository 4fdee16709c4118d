import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import type { EventFilters, ListEvents } from '../../src/contract/dashboard/events.ts';
import { countEvents } from '../../src/resources/events/event-counts.ts';
import { listEventRows } from '../../src/resources/events/event-list.ts';
import type { EventRow } from '../../src/resources/events/event-store.ts';
import { changeEventRetention } from '../../src/resources/events/retention.ts';
import { createSystem } from '../../src/resources/systems/systems.ts';
import { type AuthorizedSource, authorizedSource } from '../support/authorized-source.ts';
import { eventRow, receivedEarlier, storeEvents } from '../support/events.ts';
import { asOwner } from '../support/postgres.ts';
import { type SharedService, sharedService } from '../support/service.ts';

let service: SharedService;
beforeAll(async () => {
  service = await sharedService();
});

const [hour, day] = [3_600_000, 86_400_000];
const now = Date.now();
const iso = (ms: number) => new Date(ms).toISOString();
const channels = ['events', 'shield'] as const;

/** A seeded generator: a failing run can be repeated. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return below => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

interface Stored extends EventRow {
  readonly channel: (typeof channels)[number];
  readonly systemId: string;
  readonly keyId: string;
}

/** An organization with events of the last ten days, half of them folded into the counts. */
async function organizationWithEvents() {
  const source = await authorizedSource(service);
  const second = await source.store.transaction(transaction =>
    createSystem(transaction, { name: 'Second', environment: 'test', kind: 'api' }),
  );
  const [firstKey, otherKey] = [randomUUID(), randomUUID()];
  const below = numbers(7);
  const stored: Stored[] = [];
  for (const part of [1, 2]) {
    for (const channel of channels) {
      for (const systemId of [source.systemId, second.id]) {
        const rows = Array.from({ length: 120 }, (_, index) => {
          const kind = index === 0 ? `rare.${part}` : `kind_${below(30)}`;
          return eventRow({ kind, occurredAt: iso(now + 2 * hour - below(10 * day)) });
        });
        for (const [keyId, some] of [
          [firstKey, rows.slice(0, 100)],
          [otherKey, rows.slice(100)],
        ] as const) {
          const target = { ...source, systemId, channel, keyId };
          expect(await storeEvents(service.storage.events, target, some)).toBe(some.length);
          stored.push(...some.map(row => ({ ...row, channel, systemId, keyId })));
        }
      }
    }
    if (part === 1) await service.storage.sweep();
  }
  return { source, otherKey, stored };
}

const matching = (stored: readonly Stored[], { channel, kind, system_id, key_id, from, to }: ListEvents) =>
  stored.filter(
    row =>
      (channel === undefined || row.channel === channel) &&
      (kind === undefined || row.kind === kind) &&
      (system_id === undefined || row.systemId === system_id) &&
      (key_id === undefined || row.keyId === key_id) &&
      (from === undefined || row.occurredAt >= iso(Date.parse(from))) &&
      (to === undefined || row.occurredAt < iso(Date.parse(to))),
  );

function tally(values: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

it('counts and lists exactly the stored events, for any period and filters', async () => {
  const { source, otherKey, stored } = await organizationWithEvents();
  const below = numbers(11);
  const periods = [
    { from: iso(now - 7 * day) },
    { from: iso(now - 30 * 60_000) },
    { from: iso(Math.floor(now / day) * day - 5 * day), to: iso(Math.floor(now / day) * day) },
    { from: iso(Math.floor(now / hour) * hour - hour), to: iso(Math.floor(now / hour) * hour) },
    ...Array.from({ length: 4 }, () => {
      const to = now - below(8 * day);
      return { from: iso(to - 1 - below(6 * day)), to: iso(to) };
    }),
  ];
  const filters: EventFilters[] = [
    {},
    { channel: 'shield' },
    { kind: 'rare.1' },
    { kind: 'rare.2' },
    { kind: 'kind_3' },
    { kind: 'no.such' },
    { system_id: source.systemId },
    { system_id: source.systemId, channel: 'events', kind: 'kind_4' },
  ];
  for (const period of periods) {
    for (const filter of filters) {
      const query = { ...filter, ...period };
      // Without an end, events are counted until now, and listed with those of the future.
      const expected = matching(stored, { to: iso(Date.now()), ...query });
      const counted = await countEvents(source.store, query);
      const length = counted.bucket === 'hour' ? hour : day;
      const starts = tally(
        expected.map(
          row => `${row.channel} ${iso(Math.floor(Date.parse(row.occurredAt) / length) * length)}`,
        ),
      );
      for (const { at, events, shield } of counted.counts) {
        const start = iso(Date.parse(at));
        const due = [starts.get(`events ${start}`) ?? 0, starts.get(`shield ${start}`) ?? 0];
        expect([events, shield], `${JSON.stringify(query)} ${at}`).toEqual(due);
      }
      const total = counted.counts.reduce((sum, { events, shield }) => sum + events + shield, 0);
      expect(total).toBe(expected.length);
      const kinds = [...tally(expected.map(({ kind }) => kind))]
        .map(([kind, count]) => ({ kind, count }))
        .sort((a, b) => b.count - a.count || (a.kind < b.kind ? -1 : 1));
      expect(counted.kinds).toEqual(kinds.slice(0, 20));
      expect(counted.more_kinds).toBe(Math.max(0, kinds.length - 20));
      for (const key of [{}, { key_id: otherKey }, { key_id: randomUUID() }]) {
        expect(await allListed(source, { ...query, ...key })).toEqual(
          matching(stored, { ...query, ...key })
            .map(row => [row.occurredAt, row.id, row.channel, row.systemId])
            .sort((a, b) => (a.join() < b.join() ? 1 : -1)),
        );
      }
    }
  }
});

async function allListed(source: AuthorizedSource, query: ListEvents): Promise<string[][]> {
  const listed: string[][] = [];
  let cursor: string | null | undefined;
  do {
    const page = await listEventRows(source.store, { ...query, ...(cursor ? { cursor } : {}) });
    listed.push(
      ...page.events.map(({ occurred_at, id, channel, system }) => [
        iso(Date.parse(occurred_at)),
        id,
        channel,
        system.id,
      ]),
    );
    cursor = page.next_cursor;
  } while (cursor !== null);
  return listed;
}

it('lists all events of a key, also behind many of others', async () => {
  const source = await authorizedSource(service);
  const other = { ...source, keyId: randomUUID() };
  const at = (hours: number) => eventRow({ occurredAt: iso(now - hours * hour) });
  // More than are read by time.
  const frequent = Array.from({ length: 2_100 }, (_, index) => at(index / 30));
  const older = Array.from({ length: 11 }, (_, index) => at(90 + index));
  await storeEvents(service.storage.events, source, frequent);
  await storeEvents(service.storage.events, other, older);
  await service.storage.sweep();
  const query = { key_id: other.keyId, system_id: source.systemId, channel: 'events' } as const;
  expect(await allListed(source, query)).toHaveLength(11);
});

it('counts kinds exactly beyond the number that is counted one by one', async () => {
  const source = await authorizedSource(service);
  const rows = Array.from({ length: 2_100 }, (_, index) => eventRow({ kind: `made.up_${index}` }));
  await storeEvents(service.storage.events, source, [...rows, eventRow({ kind: 'made.up_2099' })]);
  await service.storage.sweep();
  const series = await asOwner(service.database.connection, client =>
    client.query('select count(*)::int as all from event_series where system_id = $1', [source.systemId]),
  );
  expect(series.rows).toEqual([{ all: 201 }]);
  const { kinds, more_kinds, counts } = await countEvents(source.store, {});
  expect(kinds[0]).toEqual({ kind: 'made.up_2099', count: 2 });
  expect([kinds.length, more_kinds]).toEqual([20, 2_080]);
  expect(counts.reduce((sum, { events }) => sum + events, 0)).toBe(2_101);
  // The last one in alphabetical order is not counted by itself.
  for (const kind of ['made.up_0', 'made.up_2099', 'made.up_999']) {
    const { events } = await listEventRows(source.store, { kind });
    expect(events.length).toBe(kind === 'made.up_2099' ? 2 : 1);
    expect((await countEvents(source.store, { kind })).kinds).toEqual([{ kind, count: events.length }]);
  }
});

it('counts many events without reading them if a key sends very many kinds', async () => {
  const source = await authorizedSource(service);
  const usual = Array.from({ length: 20_000 }, () => eventRow({ kind: 'usual.kind' }));
  await storeEvents(service.storage.events, source, usual);
  await service.storage.sweep();
  const rows = Array.from({ length: 210 }, (_, index) => eventRow({ kind: `made.up_${index}` }));
  await storeEvents(service.storage.events, source, rows);
  await service.storage.sweep();
  const counted = await countEvents(source.store, {});
  expect(counted).toMatchObject({ of_other_kinds: 11, more_kinds: 180 });
  expect(counted.kinds[0]).toEqual({ kind: 'usual.kind', count: 20_000 });
  expect(counted.counts.reduce((sum, { events }) => sum + events, 0)).toBe(20_210);
  expect((await countEvents(source.store, { kind: 'made.up_209' })).kinds).toMatchObject([{ count: 1 }]);
});

it('lists what is counted together while the page is read', async () => {
  const source = await authorizedSource(service);
  const rows = Array.from({ length: 2_100 }, (_, index) => eventRow({ kind: `made.up_${index}` }));
  await storeEvents(service.storage.events, source, rows);
  const store: typeof source.store = Object.create(source.store);
  let isFirst = true;
  store.read = work =>
    source.store.read(session =>
      work({
        query: async query => {
          const found = await session.query(query);
          if (isFirst) await service.storage.sweep();
          isFirst = false;
          return found as never;
        },
      }),
    );
  Object.defineProperty(store, 'organizationId', { value: source.organizationId });
  expect((await listEventRows(store, { kind: 'made.up_999' })).events).toHaveLength(1);
});

it.each([false, true])('hides events past their retention at once (counts folded: %s)', async folded => {
  const source = await authorizedSource(service);
  const change = (retention_days: 7 | 30 | 90) =>
    source.store.transaction(transaction => changeEventRetention(transaction, { retention_days }));
  const store = async () => {
    await storeEvents(service.storage.events, source, [eventRow(), eventRow()]);
    if (folded) await service.storage.sweep();
  };
  const seen = async () => {
    const { events } = await listEventRows(source.store, {});
    const filtered = await listEventRows(source.store, { kind: 'a.kind' });
    const { counts } = await countEvents(source.store, {});
    expect(filtered.events).toEqual(events);
    expect(counts.reduce((sum, row) => sum + row.events, 0)).toBe(events.length);
    return events.length;
  };
  const older = (days: number) => receivedEarlier(service.database.connection, source.organizationId, days);
  await store();
  await older(30);
  await store();
  await older(7);
  await store();
  expect(await seen()).toBe(6);
  await change(7);
  expect(await seen()).toBe(4);
  await older(1);
  expect(await seen()).toBe(2);
  await change(90);
  expect(await seen(), 'a longer retention shows again what is still kept').toBe(6);
  await older(90 - 38);
  expect(await seen(), 'received 90, 60 and 53 days ago').toBe(6);
  await older(1);
  expect(await seen()).toBe(4);
  // Events received under a shorter retention are gone after that.
  await change(30);
  await store();
  await change(90);
  await older(30);
  expect(await seen()).toBe(4);
  await older(1);
  expect(await seen()).toBe(2);
});

it('forgets the series of events that were dropped', async () => {
  const source = await authorizedSource(service);
  await storeEvents(service.storage.events, source, [eventRow({ kind: 'old.kind' })]);
  await service.storage.sweep();
  await receivedEarlier(service.database.connection, source.organizationId, 90 + 15);
  await storeEvents(service.storage.events, source, [eventRow({ kind: 'new.kind' })]);
  await service.storage.sweep();
  const { rows } = await asOwner(service.database.connection, client =>
    client.query('select distinct kind from event_series where organization_id = $1', [
      source.organizationId,
    ]),
  );
  expect(rows).toEqual([{ kind: 'new.kind' }]);
});

it('names the probe or forwarder of known kinds, also of probes that share a key', async () => {
  const source = await authorizedSource(service);
  const { organizationId, systemId, store } = source;
  const key = await service.mint(organizationId, { kind: 'probe', systemId });
  const other = await service.mint(organizationId, { kind: 'dashboard' });
  const add = (channel: (typeof channels)[number], kind: string, payload: object, keyId = key.token_id) =>
    storeEvents(service.storage.events, { organizationId, systemId, channel, keyId }, [
      eventRow({ kind, payload: JSON.stringify(payload) }),
    ]);
  const from = (name: string) => ({ probe: { name } });
  const large = { results: 'x'.repeat(40_000) };
  const senders = async () => {
    const { events } = await listEventRows(store, {});
    return events.map(({ kind, sender }) => `${kind} ${sender}`).sort();
  };
  await add('events', 'probe.heartbeat', from('north'));
  await add('events', 'probe.drift', from('south'));
  await add('events', 'a.kind', from('north'));
  await add('events', 'probe.dropped', from('north'), other.token_id);
  await add('shield', 'shield.heartbeat', { forwarder: { name: 'edge' } });
  await add('shield', 'shield.requests', { forwarder: { name: 'edge' }, ...large });
  await add('events', 'probe.assessment', { ...from('north'), ...large });
  const named = [
    'a.kind null',
    'probe.dropped null',
    'probe.drift south',
    'probe.heartbeat north',
    'shield.heartbeat edge',
  ];
  expect(await senders()).toEqual([...named, 'probe.assessment null', 'shield.requests null'].sort());

  // Of large events, if there is only one sender.
  const sql = (text: string) =>
    asOwner(service.database.connection, client =>
      client.query(text, [organizationId, systemId, key.token_id]),
    );
  await sql(`insert into shield_forwarders (organization_id, system_id, name, version, instance, key_id, last_seen_at, reported_at)
    values ($1, $2, 'edge', '1', gen_random_uuid(), $3, now(), now())`);
  const addProbe = (name: string) =>
    sql(`with added as (
        insert into probes (organization_id, system_id, name, version, instance, key_id, interval_seconds, started_at, reported_at,
            spool_events, spool_bytes, set_aside)
          values ($1, $2, '${name}', '1', gen_random_uuid(), $3, 60, now(), now(), 0, 0, 0) returning id)
      insert into probe_keys (organization_id, probe_id, key_id) select $1, id, $3 from added`);
  await addProbe('north');
  expect(await senders()).toEqual([...named, 'probe.assessment north', 'shield.requests edge'].sort());
  await addProbe('south');
  expect(await senders()).toEqual([...named, 'probe.assessment null', 'shield.requests edge'].sort());
});
