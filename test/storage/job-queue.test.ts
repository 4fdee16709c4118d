import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { JobQueue } from '../../src/storage/jobs/job-queue.ts';
import { jobSchema } from '../../src/storage/jobs/queues.ts';
import { migrate } from '../../src/storage/migrate.ts';
import { poll } from '../support/poll.ts';
import { asOwner, createDatabase, type TestDatabase } from '../support/postgres.ts';

let database: TestDatabase;
let queue: JobQueue;
beforeAll(async () => {
  database = await createDatabase(inject('postgres'));
  const { roles } = await migrate(database.connection);
  const connection = { ...database.connection, ...roles.system };
  queue = new JobQueue({ connection, works: true, onError: () => {} });
  await queue.start();
});
afterAll(async () => {
  await queue?.stop(0);
  await database?.drop();
});

async function send(
  name: 'scan-plan' | 'scan-abandoned',
  organizationId: string,
  scanIds: string[],
): Promise<void> {
  await asOwner(database.connection, async client => {
    await client.query("select set_config('parapet.organization_id', $1, false)", [organizationId]);
    const jobs = scanIds.map(scanId => ({ organizationId, scanId }));
    await queue.send(name, jobs, client);
  });
}

it('goes on with the next job at once, with as many at a time as it was told', {
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
    // A job ends when as many are under way as may be: a loop that rests holds up the others.
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
  // A loop that looks only every two seconds takes 14 for its eight jobs.
  expect(Date.now() - began).toBeLessThan(7_000);
});

it('takes no more jobs of an organization than anybody needs, and counts them without those of others', async () => {
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

it('is made ready by a node that starts while others write to it', async () => {
  await asOwner(database.connection, async other => {
    await other.query('begin');
    await other.query('lock table pgboss.job in row exclusive mode');
    await migrate(database.connection);
    await other.query('rollback');
  });
});

describe('organizations that share a worker', () => {
  const [many, alsoMany, few] = [randomUUID(), randomUUID(), randomUUID()];
  /** Jobs under way, in the order in which they began: the organization of each, and what ends it. */
  const underWay: { organizationId: string; end: () => void }[] = [];
  const began = new EventEmitter();
  const countOf = (organizationId: string) =>
    underWay.filter(job => job.organizationId === organizationId).length;
  const until = async (condition: () => boolean) => {
    while (!condition()) await once(began, 'job');
  };
  const endOneOf = (organizationId: string) => {
    const [job] = underWay.splice(
      underWay.findIndex(job => job.organizationId === organizationId),
      1,
    );
    job!.end();
  };

  beforeAll(async () => {
    await send('scan-abandoned', many, Array.from({ length: 50 }, randomUUID));
    await queue.work(
      'scan-abandoned',
      { shared: 2, kept: { places: 2, perOrganization: 1 } },
      async ({ organizationId }) => {
        await new Promise<void>(end => {
          underWay.push({ organizationId, end });
          began.emit('job');
        });
      },
    );
  });
  afterAll(() => {
    for (const { end } of underWay) end();
  });

  it('leave places to others, however many jobs of theirs wait', async () => {
    await until(() => countOf(many) === 3);
    await send('scan-abandoned', few, [randomUUID()]);
    await until(() => countOf(few) === 1);
    expect(countOf(many)).toBe(3);
    endOneOf(few);
    // Until then, its next job would join behind this one.
    await poll('its job to be completed', () =>
      asOwner(database.connection, async client => {
        const { rows } = await client.query(
          `select count(*)::int as active from ${jobSchema}.job where group_id = $1 and state = 'active'`,
          [few],
        );
        return rows[0].active === 0 ? true : undefined;
      }),
    );
  });

  it('come by turns: the first job of one before the next of another that came long before', async () => {
    await send('scan-abandoned', alsoMany, Array.from({ length: 50 }, randomUUID));
    await until(() => countOf(alsoMany) === 1);
    // All four places are taken, and both have far more to do.
    await send('scan-abandoned', few, [randomUUID()]);
    endOneOf(many);
    await until(() => underWay.length === 4);
    expect([many, alsoMany, few].map(countOf)).toEqual([2, 1, 1]);
  });
});
