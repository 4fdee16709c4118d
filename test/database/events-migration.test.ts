import { randomUUID } from 'node:crypto';
import { expect, inject, it } from 'vitest';
import type { ConnectionSettings } from '../../src/database/connection.ts';
import { migrate } from '../../src/database/migrate.ts';
import { raceBehindLock } from '../support/held-lock.ts';
import { addSystem, migrateBefore } from '../support/migrate-before.ts';
import { asOwner, createDatabase } from '../support/postgres.ts';
import { testMigration } from '../support/test-migration.ts';

await testMigration(
  'moves events from before into partitions, with their counts and what waits for a worker',
  movesEvents,
);

it('gives events a key that another node counts at that moment', async () => {
  const { connection, drop } = await createDatabase(inject('postgres'));
  await migrateBefore(connection, 39);
  const [organization, system, key] = [randomUUID(), randomUUID(), randomUUID()];
  await asOwner(connection, async client => {
    await addSystem(client, organization, system);
    await client.query(
      `select store_events(array[$1::uuid], array[$2::uuid], array['events'], array[$3::uuid], '1', $4, 'a.kind', now()::text,
        '{}', 'f')`,
      [organization, system, key, randomUUID()],
    );
  });
  await raceBehindLock(connection, 'select pg_advisory_xact_lock(1162170448)', [() => migrate(connection)]);
  const keys = await asOwner(connection, client => client.query('select key_id from event_series_keys'));
  expect(keys.rows).toEqual([{ key_id: key }]);
  await drop();
});

async function movesEvents(connection: ConnectionSettings): Promise<void> {
  await migrateBefore(connection, 34);
  const [organization, system, key] = [randomUUID(), randomUUID(), randomUUID()];
  const [fresh, older, expired] = [randomUUID(), randomUUID(), randomUUID()];
  await asOwner(connection, async client => {
    await addSystem(client, organization, system);
    for (const [id, days] of [
      [fresh, 0],
      [older, 60],
      [expired, 91],
    ]) {
      await client.query(
        `insert into events (organization_id, id, channel, system_id, key_id, kind, occurred_at, received_at, payload)
          values ($1, $2, 'events', $3, $4, 'a.kind', '2026-01-01T10:30:00Z', now() - make_interval(days => $5::int), $6)`,
        [organization, id, system, key, days, JSON.stringify({ id, detail: { deep: ['ü'] } })],
      );
      await client.query(
        "insert into event_inbox (organization_id, channel, system_id, event_id, attempts) values ($1, 'events', $2, $3, 2)",
        [organization, system, id],
      );
    }
  });
  await migrate(connection);
  await asOwner(connection, async client => {
    await client.query("select set_config('parapet.organization_id', $1, false)", [organization]);
    const { rows: events } = await client.query(
      `select e.id, payload, retention_days, e.received_at = date_trunc('milliseconds', e.received_at) as whole,
          now() - e.received_at > interval '59 days' as old, attempts
        from events e join event_inbox i using (retention_days, received_at, organization_id, system_id, channel)
        where i.event_id = e.id order by i.sequence`,
    );
    const moved = { retention_days: 90, whole: true, attempts: 2 };
    expect(events).toEqual(
      [
        [fresh, false],
        [older, true],
      ].map(([id, old]) => ({ id, payload: { id, detail: { deep: ['ü'] } }, old, ...moved })),
    );
    const { rows: counts } = await client.query(
      `select s.kind, k.key_id, c.at, sum(c.count)::int as count
        from event_counts c join event_series s on s.id = c.series join event_series_keys k on k.series = s.id
        where c.grain = 'hour' group by 1, 2, 3`,
    );
    const at = new Date('2026-01-01T10:00:00Z');
    expect(counts).toEqual([{ kind: 'a.kind', key_id: key, at, count: 2 }]);
    const { rows: ofAll } = await client.query(
      `select c.grain, s.system_id, s.kind, c.at, sum(c.count)::int as count from event_counts c join event_series s on s.id = c.series
        where c.grain like '%_of_all' group by 1, 2, 3, 4 order by 1`,
    );
    const all = { system_id: '00000000-0000-0000-0000-000000000000', kind: 'a.kind', count: 2 };
    expect(ofAll).toEqual([
      { ...all, grain: 'day_of_all', at: new Date('2026-01-01T00:00:00Z') },
      { ...all, grain: 'hour_of_all', at },
    ]);
    const { rows: left } = await client.query('select count(*)::int as all from event_inbox');
    expect(left).toEqual([{ all: 2 }]);
  });
}
