import { afterAll, beforeAll, expect, it } from 'vitest';
import { migrate } from '../../src/database/migrate.ts';
import { measureSizes, type OrganizationSize, type Sizes } from '../../src/resources/installation/sizes.ts';
import { createFixture, type Fixture } from '../api/routes.ts';
import { eventRow, receivedEarlier, storeEvents } from '../support/events.ts';
import { poll } from '../support/poll.ts';
import { asOwner } from '../support/postgres.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
let many: Fixture;
let few: Fixture;
let sizes: Sizes;
beforeAll(async () => {
  service = await startService();
  many = await createFixture(service);
  few = await createFixture(service);
  await storeEvents(service.storage.events, many, [eventRow()]);
  await storeEvents(service.storage.events, few, [eventRow()]);
  // Two partitions with events, and 16 MB of them in mixed order, three quarters of one organization.
  await receivedEarlier(service.database.connection, many.organizationId, 20);
  await storeEvents(service.storage.events, many, [eventRow()]);
  await sql(
    `insert into events (organization_id, system_id, channel, id, kind, occurred_at, received_at, retention_days, key_id, payload)
      select e.organization_id, e.system_id, channel, gen_random_uuid(), kind, occurred_at, received_at, retention_days, key_id,
        jsonb_build_object('text', repeat(md5(random()::text), 20))
      from events e, generate_series(1, 20000) as number
      where number <= 20000 * (case when organization_id = $1 then 0.75 / 2 else 0.25 end) order by random()`,
    [many.organizationId],
  );
  sizes = await measureSizes(service.database.connection);
});
afterAll(() => service?.close());

const sql = (text: string, values: unknown[] = []) =>
  asOwner(service.database.connection, client => client.query(text, values));

const tableOf = (name: string) => sizes.tables.find(table => table.name === name)!;
const sizeOf = ({ organizationId }: Fixture): OrganizationSize =>
  sizes.organizations!.find(({ id }) => id === organizationId)!;

it('adds the partitions of a table, its indexes and its TOAST up, and lists the biggest first', async () => {
  const { rows } = await sql(`select sum(pg_total_relation_size(inhrelid))::float8 as bytes,
    sum(pg_indexes_size(inhrelid))::float8 as indexes, count(*)::int as partitions
    from pg_inherits where inhparent in (select 'events'::regclass union all select inhrelid from pg_inherits where inhparent = 'events'::regclass)`);
  expect(tableOf('events')).toMatchObject({ bytes: rows[0].bytes, indexBytes: rows[0].indexes });
  expect(rows[0].partitions).toBeGreaterThan(2);
  expect(sizes.tables.filter(({ name }) => /_\d{8}$/.test(name))).toEqual([]);
  const [first] = sizes.tables;
  expect(first!.name).toBe('events');
  expect(sizes.tables.map(({ bytes }) => bytes)).toEqual(
    sizes.tables.map(({ bytes }) => bytes).sort((a, b) => b - a),
  );
  const { rows: whole } = await sql('select pg_database_size(current_database())::float8 as bytes');
  expect(sizes.bytes).toBeGreaterThan(whole[0].bytes * 0.9);
  expect(sizes.jobBytes).toBeGreaterThan(100_000);
  expect(sizes.walBytes).toBeGreaterThan(1024 * 1024);
});

it('counts small tables, and estimates the rows of a big one and each organization’s share of it', async () => {
  const { rows } = await sql('select count(*)::int as systems from systems');
  expect(tableOf('systems')).toMatchObject({ rows: rows[0].systems, sampled: false });
  const events = tableOf('events');
  expect(events.sampled).toBe(true);
  expect(events.rows! / 20_000).toBeCloseTo(1, 0.5);
  const share = (of: Fixture) =>
    sizeOf(of).tables.find(({ name }) => name === 'events')!.bytes / events.bytes;
  expect(share(many)).toBeGreaterThan(0.6);
  expect(share(many)).toBeLessThan(0.9);
  expect(share(many) + share(few)).toBeCloseTo(1, 3);
  expect(sizes.organizations![0]!.id).toBe(many.organizationId);
  expect(sizeOf(few).tables).toContainEqual({ name: 'systems', rows: 1, bytes: expect.any(Number) });
});

it('reads only a part of a big table', async () => {
  const read = async () => {
    const { rows } = await sql(`select pg_stat_clear_snapshot(),
      (select sum(heap_blks_read + heap_blks_hit)::float8 from pg_statio_user_tables where relname like 'events\\_%') as pages`);
    return rows[0].pages as number;
  };
  // Sessions count what they did some time later: the insertion found a page for each row.
  await poll('the insertion is counted', async () => (await read()) >= 20_000);
  const before = await read();
  await measureSizes(service.database.connection);
  // Counted when the session has ended.
  await poll('the pages are counted', async () => (await read()) > before);
  const { pages } = tableOf('events');
  expect(pages).toBeGreaterThan(1_900);
  expect((await read()) - before).toBeLessThan(pages * 0.7);
});

it('measures no organizations for a role that may not read their rows', async () => {
  const { connection } = service.database;
  await sql("create role sizes_node login password 'node'");
  try {
    await migrate(connection, { nodeRole: 'sizes_node' });
    const node = await measureSizes({ ...connection, user: 'sizes_node', password: 'node' });
    expect(node.organizations).toBeUndefined();
    expect(node.walBytes).toBeNull();
    expect(node.tables[0]).toMatchObject({ name: 'events', bytes: tableOf('events').bytes });
  } finally {
    await sql('drop owned by sizes_node; drop role sizes_node');
  }
});
