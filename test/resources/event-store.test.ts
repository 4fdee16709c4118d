import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openPool } from '../../src/database/connection.ts';
import { migrate } from '../../src/database/migrate.ts';
import { EventStore } from '../../src/resources/events/event-store.ts';
import { changeEventRetention } from '../../src/resources/events/retention.ts';
import { type AuthorizedSource, authorizedSource } from '../support/authorized-source.ts';
import { eventRow, receivedEarlier, storeEvents } from '../support/events.ts';
import { raceBehindLock, untilWaiting } from '../support/held-lock.ts';
import { asOwner } from '../support/postgres.ts';
import { startService, type TestNode, type TestService } from '../support/service.ts';

let service: TestService;
let other: TestNode;
let source: AuthorizedSource;
beforeAll(async () => {
  service = await startService();
  other = await service.addNode();
});
afterAll(() => service?.close());
beforeEach(async () => {
  source = await authorizedSource(service);
});

const sql = async (text: string, values: unknown[] = []) =>
  (await asOwner(service.database.connection, client => client.query(text, values))).rows;
const idsIn = async (table: string, column: string) =>
  (await sql(`select ${column} as id from ${table} where organization_id = $1`, [source.organizationId])).map(
    ({ id }) => id,
  );
const partitions = async () =>
  (
    await sql(
      "select relname as name from pg_class where relname ~ '^events_\\d+_\\d{8}$' and relkind = 'r' order by 1",
    )
  ).map(({ name }) => name);

it('stores the requests of a batch apart: an unknown system, or a value that cannot be stored, fails its own', async () => {
  const { events } = service.storage;
  const bad = eventRow({ occurredAt: 'never' });
  const [alone, unknown, foreign, broken, last] = await Promise.allSettled([
    storeEvents(events, source, [eventRow()]),
    storeEvents(events, { ...source, systemId: randomUUID() }, [eventRow()]),
    storeEvents(events, { ...source, organizationId: await service.createOrganization() }, [eventRow()]),
    storeEvents(events, source, [eventRow(), bad]),
    storeEvents(events, source, [eventRow(), eventRow()]),
  ]);
  expect([alone, unknown, foreign, last].map(result => 'value' in result! && result.value)).toEqual([
    1,
    undefined,
    undefined,
    2,
  ]);
  expect(broken).toMatchObject({ status: 'rejected', reason: { code: '22007' } });
  expect(await idsIn('events', 'id')).toHaveLength(3);
});

it('counts an id that two requests of a batch send once, and accepts it in another stream', async () => {
  const [first, busy] = [eventRow(), eventRow()];
  const { events } = service.storage;
  const send = (channel: 'events' | 'shield') => storeEvents(events, { ...source, channel }, [first]);
  // While the first call runs, the others wait for the next one together.
  const stored = await Promise.all([
    storeEvents(events, source, [busy]),
    send('events'),
    send('events'),
    send('shield'),
  ]);
  expect(stored).toEqual([1, 1, 0, 1]);
});

it('queues events that change posture in the order of the batch, without duplicates', async () => {
  const rows = Array.from({ length: 20 }, () => eventRow({ isPosture: true }));
  const { events } = service.storage;
  await storeEvents(events, source, [...rows, eventRow()]);
  await storeEvents(events, source, rows);
  const queued = await sql(
    `select i.event_id as id, e.kind from event_inbox i
      join events e using (retention_days, received_at, organization_id, system_id, channel)
      where i.organization_id = $1 and e.id = i.event_id order by i.sequence`,
    [source.organizationId],
  );
  expect(queued).toEqual(rows.map(({ id }) => ({ id, kind: 'a.kind' })));
});

it('stores an id once that two nodes store at the same moment', async () => {
  const rows = Array.from({ length: 50 }, () => eventRow());
  const race = await raceBehindLock(service.database.connection, 'lock table systems', [
    () => storeEvents(service.storage.events, source, rows),
    () => storeEvents(other.storage.events, source, [...rows].reverse()),
  ]);
  expect(race.reduce((sum, stored) => sum! + stored!, 0)).toBe(50);
});

it('finds an id that another node has just stored into the partition before', async () => {
  const row = eventRow();
  const { connection } = service.database;
  await storeEvents(service.storage.events, source, [eventRow()]);
  await receivedEarlier(connection, source.organizationId, 15);
  const stored = await asOwner(connection, async node => {
    await node.query('begin');
    await node.query(
      "select store_events(array[$1::uuid], array[$2::uuid], array['events'], array[$2::uuid], '1', $3, 'k', $4, '{}', 'f')",
      [source.organizationId, source.systemId, row.id, row.occurredAt],
    );
    await node.query("update events set received_at = received_at - interval '15 days' where id = $1", [
      row.id,
    ]);
    const second = storeEvents(other.storage.events, source, [row]);
    await Promise.race([second, untilWaiting(connection, 1)]);
    await node.query('commit');
    return second;
  });
  expect(stored).toBe(0);
});

it('knows an id for as long as its event is kept', async () => {
  const { connection } = service.database;
  const row = eventRow();
  const again = () => storeEvents(service.storage.events, source, [row]);
  expect(await again()).toBe(1);
  await receivedEarlier(connection, source.organizationId, 90);
  expect(await again()).toBe(0);
  await receivedEarlier(connection, source.organizationId, 1);
  expect(await again()).toBe(1);
});

it('stores events although no partition was created in time', async () => {
  await source.store.transaction(transaction => changeEventRetention(transaction, { retention_days: 7 }));
  expect((await partitions()).filter(name => name.startsWith('events_7_'))).toEqual([]);
  // Two nodes find that it is missing.
  const second = await authorizedSource(service);
  await second.store.transaction(transaction => changeEventRetention(transaction, { retention_days: 7 }));
  const stored = await raceBehindLock(service.database.connection, 'lock table systems', [
    () => storeEvents(service.storage.events, source, [eventRow()]),
    () => storeEvents(other.storage.events, second, [eventRow()]),
  ]);
  expect(stored).toEqual([1, 1]);
  const created = (await partitions()).filter(name => name.startsWith('events_7_'));
  expect(created).toHaveLength(1);
  await service.storage.sweep();
  expect((await partitions()).filter(name => name.startsWith('events_7_'))).toHaveLength(3);
});

it('changes the retention while events are stored', async () => {
  const { connection } = service.database;
  await asOwner(connection, async storing => {
    await storing.query('begin');
    // As store_events does, before it refers to the organization.
    await storing.query(`select pg_advisory_xact_lock(1162170447, hashtext(organization_id::text || id::text))
      from systems where organization_id = '${source.organizationId}'`);
    const changed = source.store.transaction(transaction =>
      changeEventRetention(transaction, { retention_days: 7 }),
    );
    await untilWaiting(connection, 1);
    await storing.query(`select from organizations where id = '${source.organizationId}' for key share`);
    await storing.query('commit');
    await expect(changed).resolves.toEqual({ retention_days: 7 });
  });
});

it('creates partitions while others are being read', async () => {
  const retention = { retention_days: 30 } as const;
  await source.store.transaction(transaction => changeEventRetention(transaction, retention));
  const stored = await asOwner(service.database.connection, async reader => {
    await reader.query('begin');
    await reader.query('select count(*) from events');
    try {
      return await storeEvents(service.storage.events, source, [eventRow()]);
    } finally {
      await reader.query('rollback');
    }
  });
  expect(stored).toBe(1);
});

it('drops a partition when all its events are past their retention, unless it is being read', async () => {
  const { connection } = service.database;
  const row = eventRow();
  await storeEvents(service.storage.events, source, [row]);
  await receivedEarlier(connection, source.organizationId, 90 + 15);
  const [{ name }] = await sql('select tableoid::regclass::text as name from events where id = $1', [row.id]);
  await asOwner(connection, async reader => {
    await reader.query('begin');
    await reader.query(`select count(*) from ${name}`);
    const started = performance.now();
    await service.storage.sweep();
    expect(performance.now() - started, 'others wait for this').toBeLessThan(5_000);
    expect(await partitions()).toContain(name);
    await reader.query('rollback');
  });
  // Also what the server itself reads, such as to analyze it, waits for the next time.
  await expect
    .poll(async () => {
      await Promise.all([service.storage.sweep(), other.storage.sweep()]);
      return partitions();
    })
    .not.toContain(name);
  expect(await idsIn('events', 'id')).toEqual([]);
});

it('keeps a partition as long as one of its events may be kept', async () => {
  const before = await partitions();
  for (const days of [0, 89]) {
    await storeEvents(service.storage.events, source, [eventRow()]);
    await service.storage.sweep();
    await receivedEarlier(service.database.connection, source.organizationId, days);
  }
  await service.storage.sweep();
  expect(await partitions()).toEqual(expect.arrayContaining(before));
  expect(await idsIn('events', 'id')).toHaveLength(2);
});

it('gives up with an error what it cannot store in time', async () => {
  const { roles } = await migrate(service.database.connection);
  const pool = openPool({ ...service.database.connection, ...roles.system }, 'test', 1);
  const impatient = new EventStore(pool, 50);
  const results = await asOwner(service.database.connection, async holder => {
    await holder.query('begin');
    await holder.query('lock table systems');
    const first = storeEvents(impatient, source, [eventRow()]);
    const late = storeEvents(impatient, source, [eventRow()]);
    await untilWaiting(service.database.connection, 1);
    await holder.query('select pg_sleep(0.1)');
    await holder.query('commit');
    return Promise.allSettled([first, late]);
  });
  await pool.end();
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
});

it('refuses an isolation level at which an id could be stored twice', async () => {
  const store = asOwner(service.database.connection, async client => {
    await client.query('begin isolation level repeatable read');
    try {
      await client.query("select store_events('{}', '{}', '{}', '{}', '', '', '', '', '', '')");
    } finally {
      await client.query('rollback');
    }
  });
  await expect(store).rejects.toThrow(/read committed/);
});
