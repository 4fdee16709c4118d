import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openPool } from '../../src/database/connection.ts';
import { JobQueue } from '../../src/database/jobs/job-queue.ts';
import type { Places } from '../../src/database/jobs/places.ts';
import type { QueueName } from '../../src/database/jobs/queues.ts';
import { migrate } from '../../src/database/migrate.ts';
import { poll } from '../support/poll.ts';
import { asOwner, createDatabase, type TestDatabase } from '../support/postgres.ts';

let database: TestDatabase;
let pool: pg.Pool;
let queue: JobQueue;
const failures: { readonly error: unknown; readonly name: string; readonly data: object }[] = [];
beforeAll(async () => {
  database = await createDatabase(inject('postgres'));
  const { roles } = await migrate(database.connection);
  const connection = { ...database.connection, ...roles.system };
  pool = openPool(connection, 'test', 6);
  queue = new JobQueue({
    pool,
    direct: connection,
    works: true,
    onError: () => {},
    onFailed: (error, { queue: name, data }) => void failures.push({ error, name, data }),
  });
  await queue.start();
});
afterAll(async () => {
  await queue?.stop(0);
  await pool?.end();
  await database?.drop();
});

async function send(
  name: 'scan-plan' | 'scan-abandoned' | 'scan-inspect' | 'scan-inspect-full',
  organizationId: string,
  scanIds: string[],
): Promise<void> {
  await asOwner(database.connection, async client => {
    await client.query("select set_config('parapet.organization_id', $1, false)", [organizationId]);
    const jobs = scanIds.map(scanId => ({ organizationId, scanId }));
    await queue.send(name, jobs, client);
  });
}

it('starts the next job at once, with the configured number at a time', {
  timeout: 60_000,
}, async () => {
  const jobs = 24;
  const atOnce = 3;
  const ids = Array.from({ length: jobs }, () => randomUUID());
  const organizationId = randomUUID();
  await send('scan-plan', organizationId, ids);
  const done: string[] = [];
  let waiting: (() => void)[] = [];
  const began = Date.now();
  await new Promise<void>(resolve => {
    // A job ends when the maximum number is running, so an idle loop would delay the others.
    void queue.work('scan-plan', { shared: atOnce }, async ({ scanId }) => {
      await new Promise<void>(release => {
        waiting.push(release);
        if (waiting.length < atOnce) return;
        for (const end of waiting) end();
        waiting = [];
      });
      done.push(scanId);
      if (done.length === jobs) resolve();
    });
  });
  expect(done.toSorted()).toEqual(ids.toSorted());
  // A loop that polls only every two seconds would take 14 for its eight jobs.
  expect(Date.now() - began).toBeLessThan(7_000);
});

it('reports why an attempt of a job failed', async () => {
  const failure = new Error('no such thing');
  queue.work('scan-inspect', { shared: 1 }, async () => {
    throw failure;
  });
  const scanId = randomUUID();
  await send('scan-inspect', randomUUID(), [scanId]);
  const failed = await poll('the report', async () => failures[0]);
  expect(failed).toMatchObject({ error: failure, name: 'scan-inspect', data: { scanId } });
});

it('accepts a limited number of jobs of an organization, and counts them without reading those of others', async () => {
  const [greedy, modest] = [randomUUID(), randomUUID()];
  await asOwner(database.connection, async client => {
    const inspect = async (organizationId: string, count: number) => {
      await client.query("select set_config('parapet.organization_id', $1, false)", [organizationId]);
      const jobs = Array.from({ length: count }, () => ({
        organizationId,
        scanId: randomUUID(),
        sourceId: randomUUID(),
      }));
      await queue.send('scan-inspect', jobs, client);
    };
    await inspect(greedy, 20_001);
    await expect(inspect(greedy, 1)).rejects.toThrow('too many jobs of this organization wait');
    await inspect(modest, 1);
    await client.query('analyze pgboss.job');
    const { rows } = await client.query(
      `explain select count(*) from pgboss.job where name = 'scan-inspect' and state < 'active' and not blocked and group_id = '${modest}'`,
    );
    expect(rows.map(row => row['QUERY PLAN']).join()).toMatch(/Index Cond: .*group_id/);
  });
});

it('is set up by a starting node while others write to it', async () => {
  await asOwner(database.connection, async other => {
    await other.query('begin');
    await other.query('lock table pgboss.job in row exclusive mode');
    await migrate(database.connection);
    await other.query('rollback');
  });
});

describe('organizations that share a worker', () => {
  it('leave places to others, however many of their jobs wait', async () => {
    const [many, few] = [randomUUID(), randomUUID()];
    await send('scan-abandoned', many, Array.from({ length: 50 }, randomUUID));
    const places = { shared: 2, kept: { places: 2, perOrganization: 1 } };
    const work = await startWork('scan-abandoned', places);
    await work.until(() => work.of(many) === 3);
    await send('scan-abandoned', few, [randomUUID()]);
    await work.until(() => work.of(few) === 1);
    expect(work.of(many)).toBe(3);
    work.endAll();
  });

  it('are served round-robin: the first job of one before the next of another that started long before', async () => {
    const [many, alsoMany, few] = [randomUUID(), randomUUID(), randomUUID()];
    const counts = () => [many, alsoMany, few].map(work.of);
    await send('scan-inspect-full', many, Array.from({ length: 50 }, randomUUID));
    // Only shared places: reserved ones may take a job, and put it back behind the next.
    const work = await startWork('scan-inspect-full', { shared: 2 });
    await work.until(() => work.of(many) === 2);
    await send('scan-inspect-full', alsoMany, Array.from({ length: 50 }, randomUUID));
    work.endOneOf(many);
    await work.until(() => work.of(alsoMany) === 1);
    // Both places are busy, and both organizations have many more jobs.
    await send('scan-inspect-full', few, [randomUUID()]);
    work.endOneOf(many);
    await work.until(() => work.all() === 2);
    expect(counts()).toEqual([0, 1, 1]);
    work.endAll();
  });
});

/** Runs a queue's jobs, each of which lasts until the test ends it. */
async function startWork(name: QueueName, places: Places) {
  const jobs: { organizationId: string; end: () => void }[] = [];
  const began = new EventEmitter();
  let isOver = false;
  await queue.work(name, places, async ({ organizationId }) => {
    if (isOver) return;
    await new Promise<void>(end => {
      jobs.push({ organizationId, end });
      began.emit('job');
    });
  });
  const endOneOf = (organizationId: string) => {
    const index = jobs.findIndex(job => job.organizationId === organizationId);
    jobs.splice(index, 1)[0]!.end();
  };
  return {
    all: () => jobs.length,
    of: (organizationId: string) => jobs.filter(job => job.organizationId === organizationId).length,
    /** Resolves when the condition is true, checked initially and when a job starts. */
    until: async (condition: () => boolean) => {
      while (!condition()) await once(began, 'job');
    },
    endOneOf,
    endAll: () => {
      isOver = true;
      for (const { end } of jobs) end();
    },
  };
}
