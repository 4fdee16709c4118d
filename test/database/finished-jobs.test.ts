import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { PgBoss } from 'pg-boss';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { openPool } from '../../src/database/connection.ts';
import { JobQueue } from '../../src/database/jobs/job-queue.ts';
import { jobSchema, queues } from '../../src/database/jobs/queues.ts';
import { migrate } from '../../src/database/migrate.ts';
import { poll } from '../support/poll.ts';
import { createDatabase, type TestDatabase } from '../support/postgres.ts';

let database: TestDatabase;
let connection: TestDatabase['connection'];
let owner: pg.Client;
let boss: PgBoss;
beforeAll(async () => {
  database = await createDatabase(inject('postgres'));
  const { roles } = await migrate(database.connection);
  connection = { ...database.connection, ...roles.system };
  owner = new pg.Client(database.connection);
  await owner.connect();
  // Takes and ends jobs, without maintenance of its own.
  boss = new PgBoss({
    ...(connection as object),
    schema: jobSchema,
    migrate: false,
    createSchema: false,
    schedule: false,
    supervise: false,
  });
  boss.on('error', () => {});
  await boss.start();
});
afterAll(async () => {
  await boss?.stop({ graceful: false });
  await owner?.end();
  await database?.drop();
});

/** Sends a job of the queue and takes it. @returns its id */
async function takenJob(queue: string): Promise<string> {
  const organizationId = randomUUID();
  await owner.query("select set_config('parapet.organization_id', $1, false)", [organizationId]);
  await owner.query('select send_jobs($1, $2)', [
    queue,
    JSON.stringify([{ organizationId, scanId: randomUUID() }]),
  ]);
  const [job] = await boss.fetch(queue);
  return job!.id;
}

async function completed(queue: string): Promise<string> {
  const id = await takenJob(queue);
  await boss.complete(queue, id);
  return id;
}

/** On its last try. */
async function failed(queue: string): Promise<string> {
  const id = await takenJob(queue);
  await owner.query('update pgboss.job set retry_limit = 0 where id = $1', [id]);
  await boss.fail(queue, id, new Error('a failure'));
  return id;
}

/** Moves all times of the jobs into the past. */
const age = (ids: readonly string[], minutes: number) =>
  owner.query(
    `update pgboss.job set created_on = created_on - past, start_after = start_after - past,
        completed_on = completed_on - past, keep_until = keep_until - past
      from make_interval(mins => $2) as past where id = any($1)`,
    [ids, minutes],
  );

const jobs = async () =>
  (await owner.query<{ id: string }>('select id from pgboss.job')).rows.map(({ id }) => id).toSorted();

const maintained = () =>
  poll('maintenance of every queue', async () => {
    const { rowCount } = await owner.query('select from pgboss.queue where maintain_on is null');
    return rowCount === 0;
  });

it('deletes completed and failed jobs of every queue after ten minutes, and waiting ones never', async () => {
  const old: string[] = [];
  const recent: string[] = [];
  for (const { name } of queues) {
    old.push(await completed(name), await failed(name));
    recent.push(await completed(name), await failed(name));
  }
  await age(old, 11);
  await age(recent, 9);
  const states = await owner.query(
    'select state::text, count(*)::int from pgboss.job where id = any($1) group by 1 order by 1',
    [[...old, ...recent]],
  );
  expect(states.rows).toEqual(['completed', 'failed'].map(state => ({ state, count: 2 * queues.length })));
  // The jobs that failed, sent to another queue: no worker has run for a year.
  const waiting = (await jobs()).filter(id => ![...old, ...recent].includes(id));
  expect(waiting.length).toBeGreaterThan(0);
  await age(waiting, 365 * 24 * 60);
  const pool = openPool(connection, 'test', 3);
  const worker = new JobQueue({ pool, direct: undefined, works: true, onError: () => {} });
  await worker.start();
  try {
    await maintained();
    // The next maintenance begins when the first one has ended.
    await owner.query('update pgboss.queue set maintain_on = null');
    await maintained();
    expect(await jobs()).toEqual([...recent, ...waiting].toSorted());
  } finally {
    await worker.stop(0);
    await pool.end();
  }
});

it('keeps nothing else that grows with the jobs', async () => {
  const { rows: tables } = await owner.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c where c.relnamespace = 'pgboss'::regnamespace and c.relkind = 'r'
      order by 1`,
  );
  const rows: Record<string, number> = {};
  for (const { name } of tables) {
    const { rows: counted } = await owner.query<{ n: number }>(`select count(*)::int as n from ${name}`);
    if (counted[0]!.n > 0) rows[name] = counted[0]!.n;
  }
  expect(Object.keys(rows).toSorted()).toEqual(['pgboss.job_common', 'pgboss.queue', 'pgboss.version']);
  expect(rows).toMatchObject({ 'pgboss.queue': queues.length, 'pgboss.version': 1 });
});
