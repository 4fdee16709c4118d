import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPool } from '../../src/storage/connection.ts';
import { RequestGuard } from '../../src/storage/request-guard.ts';
import { poll } from '../support/poll.ts';
import { asOwner } from '../support/postgres.ts';
import { startService, type TestService } from '../support/service.ts';
import { call } from '../support/signing-client.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.close());

const connection = () => service.database.connection;

it('admits signed requests and stays ready while everything that the public can ask for waits', async () => {
  const key = await service.mint(await service.createOrganization());
  expect((await call(service.url, key, 'GET', '/api/v1/systems')).status).toBe(200);
  await asOwner(connection(), async owner => {
    await owner.query('begin; lock table sessions in access exclusive mode');
    const answers: Promise<Response>[] = [];
    for (let index = 0; index < 50; index++) {
      const cookie = `parapet_session=${randomBytes(32).toString('base64url')}`;
      answers.push(
        fetch(`${service.url}/dashboard/api/organizations/${randomUUID()}/findings`, { headers: { cookie } }),
      );
    }
    // Signing in, links and invitations.
    const { people } = service.storage;
    const others = Array.from({ length: 10 }, () => people.query({ text: 'select from sessions' }));
    const waiting = async () =>
      asOwner(connection(), async client => {
        const { rows } = await client.query(
          `select count(*)::int as count from pg_stat_activity
            where wait_event_type = 'Lock' and datname = current_database()`,
        );
        return rows[0].count as number;
      });
    // The pool of people's accounts is used up, and one connection looks sessions up.
    await poll('junk that waits', async () => ((await waiting()) >= 5 ? true : undefined));
    for (let index = 0; index < 5; index++) {
      expect((await call(service.url, key, 'GET', '/api/v1/systems')).status).toBe(200);
    }
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
    expect(await waiting()).toBe(5);
    await owner.query('commit');
    for (const answer of await Promise.all(answers)) expect(answer.status).toBe(401);
    await Promise.all(others);
  });
});

it('answers what the guard cannot decide in time as failed, and goes on', async () => {
  const organizationId = await service.createOrganization();
  const { token_id: keyId } = await service.mint(organizationId);
  const pool = openPool(connection(), 'test-guard', 1, 500);
  const guard = new RequestGuard(pool, 200);
  const admit = () => guard.admit({ keyId, organizationId, nonce: randomUUID() });
  await asOwner(connection(), async owner => {
    await owner.query('select pg_advisory_lock(1346982465, hashtext($1))', [organizationId]);
    const stuck = Promise.allSettled([admit(), admit(), admit()]);
    expect((await stuck).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  });
  // The session that was given up still has the lock to wait for and to leave.
  const admission = () => admit().catch(() => undefined);
  await expect.poll(admission, { timeout: 30_000 }).toMatchObject({ dataVersion: expect.anything() });
  await pool.end();
});
