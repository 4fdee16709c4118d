import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { JobQueue } from '../../src/storage/jobs/job-queue.ts';
import { migrate } from '../../src/storage/migrate.ts';
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

it('goes on with the next job at once, with as many at a time as it was told', {
  timeout: 60_000,
}, async () => {
  const jobs = 24;
  const atOnce = 3;
  const ids = Array.from({ length: jobs }, () => randomUUID());
  const organizationId = randomUUID();
  await asOwner(database.connection, async client => {
    await client.query("select set_config('parapet.organization_id', $1, false)", [organizationId]);
    for (const scanId of ids) await queue.send('scan-plan', { organizationId, scanId }, client);
  });
  const done: string[] = [];
  let waiting: (() => void)[] = [];
  const began = Date.now();
  await new Promise<void>(resolve => {
    // A job ends when as many are under way as may be: a loop that rests holds up the others.
    void queue.work('scan-plan', atOnce, async ({ scanId }) => {
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
