import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPool } from '../../src/database/connection.ts';
import { RequestGuard } from '../../src/database/request-guard.ts';
import { poolSizes } from '../../src/resources/pool-sizes.ts';
import { asOwner } from '../support/postgres.ts';
import { startService, type TestService } from '../support/service.ts';
import { call } from '../support/signing-client.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.close());

const connection = () => service.database.connection;

/** Blocks lookups of existing keys while the owner keeps the lock, but not the guard, which reads the same table. */
const holdKeyLookups = `create policy held on api_keys as restrictive for select using (
    current_setting('application_name') <> 'parapet-lookups' or pg_advisory_xact_lock_shared(7) is not null)`;

it('admits signed requests and stays ready while all work of unauthenticated requests is blocked', async () => {
  const organizationId = await service.createOrganization();
  const [key, unknownToTheNode] = [await service.mint(organizationId), await service.mint(organizationId)];
  expect((await call(service.url, key, 'GET', '/api/v1/systems')).status).toBe(200);
  await asOwner(connection(), async owner => {
    await owner.query(holdKeyLookups);
    await owner.query('begin; lock table sessions in access exclusive mode');
    await owner.query('select pg_advisory_xact_lock(7)');
    const answers: Promise<Response>[] = [];
    for (let index = 0; index < 50; index++) {
      const cookie = `parapet_session=${randomBytes(32).toString('base64url')}`;
      answers.push(
        fetch(`${service.url}/dashboard/api/organizations/${randomUUID()}/findings`, { headers: { cookie } }),
      );
    }
    const { people, lookups } = service.storage;
    const read = { text: 'select from sessions' };
    const others = [
      lookups.findApiKey(unknownToTheNode.token_id),
      lookups.findRole({ sessionId: randomUUID(), renewals: 0, organizationId }),
      // Links, invitations, passkeys.
      ...['a', 'b', 'c'].map(network => lookups.unproven(network).query(read)),
      // Signing in.
      ...Array.from({ length: 10 }, () => people.query(read)),
    ];
    const outcomes = Promise.allSettled(others);
    const waiting = (pool: string) =>
      asOwner(connection(), async client => {
        const { rowCount } = await client.query(
          `select from pg_stat_activity
            where wait_event_type = 'Lock' and datname = current_database() and application_name = $1`,
          [pool],
        );
        return rowCount;
      });
    await expect.poll(() => waiting('parapet-lookups')).toBe(poolSizes({ processes: 1 }, false).lookups);
    await expect.poll(() => waiting('parapet-people')).toBeGreaterThan(0);
    for (let index = 0; index < 5; index++) {
      expect((await call(service.url, key, 'GET', '/api/v1/systems')).status).toBe(200);
    }
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
    const { rows } = await owner.query<{ query: string }>(
      `select query from pg_stat_activity
        where datname = current_database() and application_name = 'parapet-guard'`,
    );
    expect(rows.map(({ query }) => query)).toEqual([expect.stringMatching(/^select decide_requests\(/)]);
    await owner.query('commit');
    for (const answer of await Promise.all(answers)) expect(answer.status).toBe(401);
    for (const outcome of await outcomes) expect(outcome).toMatchObject({ status: 'fulfilled' });
  });
});

it('fails requests that the guard cannot decide in time, and continues', async () => {
  const organizationId = await service.createOrganization();
  const { token_id: keyId } = await service.mint(organizationId);
  const pool = openPool(connection(), 'test-guard', 1, { mostMs: 500 });
  const guard = new RequestGuard(pool, { longestWaitMs: 200 });
  const admit = () => guard.admit({ keyId, organizationId, nonce: randomUUID() });
  await asOwner(connection(), async owner => {
    await owner.query('select pg_advisory_lock(1346982465, hashtext($1))', [organizationId]);
    const stuck = Promise.allSettled([admit(), admit(), admit()]);
    expect((await stuck).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  });
  // The abandoned session still waits for the lock.
  const admission = () => admit().catch(() => undefined);
  await expect.poll(admission, { timeout: 30_000 }).toMatchObject({ dataVersion: expect.anything() });
  await pool.end();
});

it.each([
  ['GET', '/api/v1/systems', 'the guard did not decide in time'],
  ['POST', '/functions/v1/events-ingest', 'the events were not stored in time'],
])('answers %s %s as one that waited, if another node does not commit', async (method, path, reason) => {
  const organizationId = await service.createOrganization();
  const key = await service.mint(organizationId);
  const system = { name: 'S', environment: 'test', kind: 'site' };
  const { id } = (await call(service.url, key, 'POST', '/api/v1/systems', system)).json.system;
  const event = { id: randomUUID(), kind: 'a.b', occurred_at: '2026-11-21T08:00:00.123Z' };
  const body = method === 'POST' ? { system_id: id, events: [event] } : undefined;
  const from = service.log.length;
  const answer = await asOwner(connection(), async owner => {
    await owner.query('begin');
    await owner.query(
      method === 'POST'
        ? `select pg_advisory_xact_lock(1162170447, hashtext('${organizationId}${id}'))`
        : `select pg_advisory_xact_lock(1346982465, hashtext('${organizationId}'))`,
    );
    const answered = await call(service.url, key, method, path, body);
    await owner.query('commit');
    return answered;
  });
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([500, '5']);
  const logged = service.log.slice(from).map(line => JSON.parse(line));
  expect(logged.filter(({ level }) => level >= 40)).toMatchObject([
    { level: 40, msg: 'request.waited', reason },
  ]);
  expect((await call(service.url, key, method, path, body)).status).toBeLessThan(300);
});
