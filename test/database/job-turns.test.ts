import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { PgBoss } from 'pg-boss';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { JobClaims } from '../../src/database/jobs/job-claims.ts';
import { jobSchema } from '../../src/database/jobs/queues.ts';
import { migrate } from '../../src/database/migrate.ts';
import { poll } from '../support/poll.ts';
import { createDatabase, type TestDatabase } from '../support/postgres.ts';

const queue = 'scan-inspect';

let database: TestDatabase;
let owner: pg.Client;
let boss: PgBoss;
beforeAll(async () => {
  database = await createDatabase(inject('postgres'));
  const { roles } = await migrate(database.connection);
  owner = new pg.Client(database.connection);
  await owner.connect();
  boss = new PgBoss({
    ...(database.connection as object),
    ...roles.system,
    schema: jobSchema,
    migrate: false,
    createSchema: false,
    schedule: false,
    supervise: false,
  });
  // Dropping the database ends connections that are being closed.
  boss.on('error', () => {});
  await boss.start();
});
afterEach(() => owner.query('delete from pgboss.job'));
afterAll(async () => {
  await boss?.stop({ graceful: false });
  await owner?.end();
  await database?.drop();
});

async function send(organizationId: string, jobs: number): Promise<void> {
  await owner.query("select set_config('parapet.organization_id', $1, false)", [organizationId]);
  const data = Array.from({ length: jobs }, () => ({ organizationId, scanId: randomUUID() }));
  await owner.query('select send_jobs($1, $2)', [queue, JSON.stringify(data)]);
}

interface Job {
  readonly id: string;
  readonly organizationId: string;
}

/** The next job that a worker takes, without those of these organizations. */
async function take(...full: string[]): Promise<Job | undefined> {
  const options = { ignoreGroups: full, ignoreStartAfter: true };
  const [job] = await boss.fetch<{ organizationId: string }>(queue, options);
  return job && { id: job.id, organizationId: job.data.organizationId };
}

async function takeAll(): Promise<string[]> {
  const job = await take();
  return job ? [job.organizationId, ...(await takeAll())] : [];
}

it.each([
  ['with a job waiting whenever another ends', { attackers: 2, unfinished: 8, places: 8, share: 6 }],
  ['that send a job when the previous one has ended', { attackers: 9, unfinished: 1, places: 8, share: 6 }],
  ['that do so while one job runs at a time', { attackers: 2, unfinished: 1, places: 1, share: 1 }],
])(
  'serves all jobs of an organization beside others %s',
  async (_, { attackers, unfinished, places, share }) => {
    const few = randomUUID();
    const others = Array.from({ length: attackers }, () => randomUUID());
    for (const other of others) await send(other, unfinished);
    const jobs = 12;
    // Up to four of each of the others run between two, after those that waited before.
    const most = (jobs + unfinished) * (4 * attackers + 1);
    let running: Job[] = [];
    let left: number | undefined;
    let taken = 0;
    const shareOf = (organizationId: string) =>
      running.filter(job => job.organizationId === organizationId).length;
    while (left !== 0 && taken < most) {
      while (running.length < places) {
        const job = await take(...[few, ...others].filter(one => shareOf(one) === share));
        if (!job) break;
        running.push(job);
        taken += 1;
        if (job.organizationId === few) left! -= 1;
      }
      if (left === undefined) {
        await send(few, jobs);
        left = jobs;
      }
      // The jobs of the others are the slow ones.
      const ended = running.find(job => job.organizationId === few) ?? running[0]!;
      running = running.filter(job => job !== ended);
      await boss.complete(queue, ended.id);
      if (ended.organizationId !== few) await send(ended.organizationId, 1);
    }
    expect(left, `jobs that remain after ${taken} were taken`).toBe(0);
  },
);

it('serves organizations job by job, even if several are sent at once and one is retried', async () => {
  const [one, other] = [randomUUID(), randomUUID()];
  await send(one, 3);
  await send(other, 2);
  await boss.fail(queue, (await take())!.id);
  await send(other, 1);
  expect(await takeAll()).toEqual([one, other, one, other, one, other]);
});

it('places a new organization right behind the running jobs', async () => {
  const [many, few] = [randomUUID(), randomUUID()];
  await send(many, 12);
  for (let taken = 0; taken < 8; taken += 1) await take();
  await send(few, 2);
  expect(await takeAll()).toEqual([few, many, few, many, many, many]);
});

it('runs jobs sent by an earlier version, and continues at the end of the numbering', async () => {
  const [one, other] = [randomUUID(), randomUUID()];
  await send(one, 3);
  // Earlier versions numbered places one by one.
  await owner.query('update pgboss.job set priority = priority / 4');
  await send(other, 2);
  await send(one, 1);
  expect(await takeAll()).toEqual([one, one, other, one, other, one]);
  await owner.query("update pgboss.job set state = 'created', priority = -2147483647");
  await send(one, 1);
  await send(other, 1);
  expect((await takeAll()).slice(-2)).toEqual([one, other]);
});

it('gives kept places to other organizations even if there are fewer places than when jobs were requested', async () => {
  const [many, few] = [randomUUID(), randomUUID()];
  await send(many, 50);
  let asked = 0;
  const shared = () => (asked++ === 0 ? 16 : 2);
  let end!: () => void;
  const isTime = new Promise<void>(resolve => {
    end = resolve;
  });
  const running: string[] = [];
  const errors: unknown[] = [];
  const claims = new JobClaims<{ organizationId: string }>({
    boss,
    queue,
    places: { shared, kept: { places: 2, perOrganization: 1 } },
    work: async ({ organizationId }) => {
      running.push(organizationId);
      await isTime;
    },
    onError: error => errors.push(error),
  });
  await poll('one kept place', async () => (running.length >= 17 ? true : undefined));
  await send(few, 1);
  claims.claim();
  await poll('the other kept place', async () => (running.includes(few) ? true : undefined));
  expect(running.filter(organization => organization === many)).toHaveLength(17);
  expect(errors).toEqual([]);
  const stopped = claims.stop(10_000);
  end();
  await stopped;
});

describe('without the polls of an idle queue', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval'] }));
  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });

  it('reads the queue once for each job that ends, and again for new jobs', async () => {
    const [many, few] = [randomUUID(), randomUUID()];
    const jobs = 40;
    await send(many, jobs);
    const fetch = vi.spyOn(boss, 'fetch');
    const ends: (() => void)[] = [];
    const begun: string[] = [];
    const errors: unknown[] = [];
    const claims = new JobClaims<{ organizationId: string }>({
      boss,
      queue,
      places: { shared: 2, kept: { places: 2, perOrganization: 1 } },
      work: async ({ organizationId }) => {
        begun.push(organizationId);
        await new Promise<void>(resolve => ends.push(resolve));
      },
      onError: error => errors.push(error),
    });
    for (let ended = 0; ended < jobs - 3; ended++) {
      await poll('a job in each place', async () => (begun.length === ended + 3 ? true : undefined));
      ends.shift()!();
    }
    await poll('the last jobs', async () => (begun.length === jobs ? true : undefined));
    // Three at first, and one for each; the kept place is read once more when its first job ends. Two for each would be 74.
    expect(fetch.mock.calls.length).toBeLessThan(45);
    await send(few, 1);
    claims.claim();
    await poll('a job of another organization', async () => (begun.includes(few) ? true : undefined));
    for (const end of ends) end();
    await claims.stop(10_000);
    expect(errors).toEqual([]);
  });

  it('reads it again for a job that was sent while it was read', async () => {
    const organizationId = randomUUID();
    const read = boss.fetch.bind(boss);
    vi.spyOn(boss, 'fetch').mockImplementationOnce(async (...given) => {
      const none = await read(...given);
      await send(organizationId, 1);
      claims.claim();
      return none;
    });
    const begun: string[] = [];
    const claims = new JobClaims<{ organizationId: string }>({
      boss,
      queue,
      places: { shared: 2 },
      work: async job => void begun.push(job.organizationId),
      onError: () => {},
    });
    await poll('the job', async () => (begun.includes(organizationId) ? true : undefined));
    await claims.stop(10_000);
  });
});
