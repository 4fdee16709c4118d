import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { migrate } from '../../src/database/migrate.ts';
import { Junk } from '../support/junk.ts';
import { operate } from '../support/parapet-process.ts';
import { createDatabase, type TestDatabase } from '../support/postgres.ts';
import { ServingProcess } from '../support/serving-process.ts';
import { type ClientKey, call } from '../support/signing-client.ts';

let database: TestDatabase;
let service: ServingProcess;
let keys: ClientKey[];
beforeAll(async () => {
  database = await createDatabase(inject('postgres'));
  await migrate(database.connection);
  const env = { DATABASE_URL: database.url, PARAPET_MASTER_KEY: randomBytes(32).toString('base64') };
  service = await ServingProcess.serve({ ...env, PARAPET_MANAGEMENT_PORT: '0' }, ['--role', 'api']);
  const { id } = await operate(env, 'organizations', 'create', '--name', 'Acme');
  keys = await Promise.all([1, 2].map(() => operate(env, 'keys', 'mint', '--organization', id)));
});
afterAll(async () => {
  await service?.kill();
  await database?.drop();
});

/** Memory of the process in megabytes (VmRSS of proc_pid_status(5)). */
async function residentMegabytes(): Promise<number> {
  const { readFile } = await import('node:fs/promises');
  const status = await readFile(`/proc/${service.child.pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)![1]) / 1024;
}

it.runIf(process.platform === 'linux')(
  'keeps serving clients while 200 connections send junk, within bounded memory',
  async () => {
    const before = await residentMegabytes();
    const junk = new Junk(service.url, { connections: 200, perSecond: 300 });
    try {
      await expect.poll(() => junk.answered, { timeout: 30_000 }).toBeGreaterThan(200);
      for (let round = 0; round < 25; round++) {
        for (const key of keys) {
          const answer = await call(service.url, key, 'GET', '/api/v1/systems');
          expect(answer.status).toBe(200);
        }
        expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
        const target = junk.sent + 60;
        await expect.poll(() => junk.sent, { timeout: 30_000 }).toBeGreaterThan(target);
      }
      expect(junk.sent).toBeGreaterThan(1_500);
      // 200 simultaneous bodies would be 52 MB, and retaining all that were sent would add over 50 MB a second.
      expect((await residentMegabytes()) - before).toBeLessThan(150);
    } finally {
      junk.stop();
    }
  },
);
