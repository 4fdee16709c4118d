import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { RequestGuard, sweepNonces } from '../../src/database/request-guard.ts';
import { raceBehindLock } from '../support/held-lock.ts';
import { asOwner, testPool } from '../support/postgres.ts';
import { startService, type TestNode, type TestService } from '../support/service.ts';
import { type ClientKey, send, signRequest } from '../support/signing-client.ts';

let service: TestService;
let nodes: TestNode[];
beforeAll(async () => {
  service = await startService();
  nodes = [service, await service.addNode()];
});
afterAll(() => service?.close());

/** Sends requests to the nodes round-robin, all at once, and counts the responses by status. */
async function flood(
  keys: readonly ClientKey[],
  count: number,
  nonce?: string,
): Promise<Record<number, number>> {
  const requests = Array.from({ length: count }, (_, index) => {
    const key = keys[index % keys.length]!;
    const parts = signRequest(key, 'GET', '/api/v1/systems?limit=1', undefined, nonce ? { nonce } : {});
    return send(nodes[Math.floor(index / keys.length) % nodes.length]!.url, parts);
  });
  const counts: Record<number, number> = {};
  for (const { status } of await Promise.all(requests)) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

it('admits exactly 60 of 1,000 simultaneous requests of one key, on two nodes (spec 8)', async () => {
  const key = await service.mint(await service.createOrganization());
  expect(await flood([key], 1000)).toEqual({ 200: 60, 401: 940 });
});

it('admits exactly 300 of 1,000 simultaneous requests of one organization with many keys, on two nodes (spec 8)', async () => {
  const organizationId = await service.createOrganization();
  const keys = await Promise.all(Array.from({ length: 20 }, () => service.mint(organizationId)));
  expect(await flood(keys, 1000)).toEqual({ 200: 300, 401: 700 });
});

it('admits a nonce once, however often and to whichever node it is sent (spec 5, 8)', async () => {
  const key = await service.mint(await service.createOrganization());
  expect(await flood([key], 40, 'the-same-nonce')).toEqual({ 200: 1, 401: 39 });
});

it('spends the nonce of a request refused for its limit, and does not count it as admitted (spec 5)', async () => {
  const organizationId = await service.createOrganization();
  const key = await service.mint(organizationId);
  await flood([key], 60);
  const refused = signRequest(key, 'GET', '/api/v1/systems');
  expect((await send(service.url, refused)).status).toBe(401);
  // After a minute, admitted requests are outside the window, and the nonce is still spent.
  await passTime(organizationId, 61);
  expect((await send(service.url, refused)).status).toBe(401);
  expect(await flood([key], 61)).toEqual({ 200: 60, 401: 1 });
});

it('counts in a sliding window, not by full minutes (spec 5)', async () => {
  const organizationId = await service.createOrganization();
  const key = await service.mint(organizationId);
  expect(await flood([key], 40)).toEqual({ 200: 40 });
  await passTime(organizationId, 30);
  expect(await flood([key], 30)).toEqual({ 200: 20, 401: 10 });
  await passTime(organizationId, 31);
  // The first 40 are outside the window, the 20 of the second round are not.
  expect(await flood([key], 50)).toEqual({ 200: 40, 401: 10 });
});

it('keeps nonces of the previous period, and empties only the slot that is two periods old', async () => {
  const organizationId = await service.createOrganization();
  const key = await service.mint(organizationId);
  const parts = signRequest(key, 'GET', '/api/v1/systems');
  expect((await send(service.url, parts)).status).toBe(200);
  const currentSlot = 'floor(extract(epoch from clock_timestamp()) / 900)::bigint';
  const moveTo = (periods: number) =>
    asOwner(service.database.connection, client =>
      client.query(`update request_nonces set slot = (${currentSlot} + $2) % 3 where organization_id = $1`, [
        organizationId,
        periods,
      ]),
    );
  await moveTo(2);
  await service.storage.sweep();
  expect((await send(service.url, parts)).status, 'spent in the previous period').toBe(401);
  await moveTo(1);
  await service.storage.sweep();
  expect((await send(service.url, parts)).status, 'spent two periods ago, and swept').toBe(200);
});

it('keeps the nonces of a period that starts during a sweep', async () => {
  const organizationId = await service.createOrganization();
  const key = await service.mint(organizationId);
  expect((await send(service.url, signRequest(key, 'GET', '/api/v1/systems'))).status).toBe(200);
  // A clock whose first reading is right before the next period, and every later one right after its start.
  const kept = await asOwner(service.database.connection, async owner => {
    const period = 'floor(extract(epoch from pg_catalog.clock_timestamp()) / 900)::bigint';
    await owner.query(`create schema passing; create sequence passing.readings;
      create function passing.clock_timestamp() returns timestamptz volatile language sql as
        $$ select to_timestamp((${period} + 1) * 900 + sign(nextval('passing.readings') - 1.5) * 0.5) $$`);
    await owner.query(`update request_nonces set slot = (${period} + 1) % 3 where organization_id = $1`, [
      organizationId,
    ]);
    const pool = testPool({
      ...service.database.connection,
      options: '-c search_path=passing,pg_catalog,public',
    });
    try {
      expect(await sweepNonces(pool)).toBe(false);
    } finally {
      await pool.end();
      await owner.query('drop schema passing cascade');
    }
    return owner.query('select from request_nonces where organization_id = $1', [organizationId]);
  });
  expect(kept.rowCount).toBe(1);
});

it.each([
  ['revoked', 'revoked_at = now()'],
  ['expired', 'expires_at = now()'],
])('refuses a key on every node as soon as it is %s in the database (spec 3)', async (_, change) => {
  const key = await service.mint(await service.createOrganization());
  const statuses = async () => {
    const answers = nodes.map(node => send(node.url, signRequest(key, 'GET', '/api/v1/systems')));
    return (await Promise.all(answers)).map(({ status }) => status);
  };
  expect(await statuses()).toEqual([200, 200]);
  await asOwner(service.database.connection, client =>
    client.query(`update api_keys set ${change} where id = $1`, [key.token_id]),
  );
  expect(await statuses()).toEqual([401, 401]);
});

it('decides each request of a batch separately, even next to one with a missing key', async () => {
  const organizationId = await service.createOrganization();
  const key = await service.mint(organizationId);
  const admit = async (keyId: string, nonce: string) => {
    const admission = await service.storage.guard.admit({ keyId, organizationId, nonce });
    return typeof admission === 'string' ? admission : 'admitted';
  };
  const gone = '00000000-0000-4000-8000-000000000000';
  // The first is sent at once; the others wait for it and form one batch.
  const answers = await Promise.allSettled([
    admit(key.token_id, 'nonce-one'),
    admit(gone, 'nonce-two'),
    admit(key.token_id, 'nonce-three'),
    admit(gone, 'nonce-four'),
    admit(key.token_id, 'nonce-three'),
  ]);
  expect(answers).toMatchObject(
    ['admitted', 'key_removed', 'admitted', 'key_removed', 'nonce_reused'].map(value => ({ value })),
  );
});

it('refuses with no number to nodes of the release before, which take any for an admission', async () => {
  const organizationId = await service.createOrganization();
  const { token_id: keyId } = await service.mint(organizationId);
  const { rows } = await asOwner(service.database.connection, owner =>
    owner.query<{ answers: (string | null)[] }>(
      `select admit_requests(array_fill($1::uuid, array[3]), array_fill($2::uuid, array[3]),
        array['nonce-one', 'nonce-one', 'nonce-two'], array_fill(null::text, array[3]), 1, 300) as answers`,
      [keyId, organizationId],
    ),
  );
  expect(rows[0]!.answers).toEqual(['0', null, null]);
});

it('rejects a batch with a missing result', async () => {
  const organizationId = await service.createOrganization();
  const { token_id: keyId } = await service.mint(organizationId);
  await asOwner(service.database.connection, owner =>
    owner.query(`create schema terse; create function terse.decide_requests(uuid[], uuid[], text[], text[], int, int)
      returns bigint[] language sql as 'select array[7::bigint]'`),
  );
  const pool = testPool({ ...service.database.connection, options: '-c search_path=terse,public' });
  try {
    const guard = new RequestGuard(pool);
    const admit = (nonce: string) => guard.admit({ keyId, organizationId, nonce });
    // The first is sent at once; the others wait for it and form one batch.
    const answers = await Promise.allSettled([admit('nonce-one'), admit('nonce-two'), admit('nonce-three')]);
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
  } finally {
    await pool.end();
  }
});

it('decides requests together that come shortly after a batch of several, and a single one at once', async () => {
  const organizationId = await service.createOrganization();
  const { token_id: keyId } = await service.mint(organizationId);
  const pool = testPool(service.database.connection);
  const sizes: number[] = [];
  const counting = {
    query: (config: pg.QueryConfig) => {
      sizes.push((config.values![0] as string[]).length);
      return pool.query(config);
    },
  } as unknown as pg.Pool;
  const guard = new RequestGuard(counting, { gatherMs: 500 });
  const admit = (name: string) => guard.admit({ keyId, organizationId, nonce: `nonce-${name}` });
  try {
    for (const name of ['one', 'two']) await admit(name);
    await Promise.all(['three', 'four', 'five', 'six', 'seven'].map(admit));
    const first = admit('eight');
    await new Promise(resolve => setImmediate(resolve));
    await Promise.all([first, admit('nine')]);
    expect(sizes).toEqual([1, 1, 1, 4, 2]);
  } finally {
    await pool.end();
  }
});

it('reads no nonces of other requests, whatever the statistics say', async () => {
  const organizationId = await service.createOrganization();
  const { token_id: keyId } = await service.mint(organizationId);
  const read = await asOwner(service.database.connection, async owner => {
    await owner.query('begin');
    // Statistics of empty tables, as after a slot was emptied, and many nonces since.
    await owner.query('delete from request_nonces');
    for (const slot of [0, 1, 2]) {
      const table = `request_nonces_${slot}`;
      await owner.query(`update pg_class set relpages = 1, reltuples = 0 where oid = '${table}'::regclass`);
      await owner.query(
        `insert into ${table} select $1, $2, 'nonce-' || n, ${slot} from generate_series(1, 2000) as n`,
        [organizationId, keyId],
      );
    }
    const readSoFar = async () => {
      const { rows } = await owner.query<{ read: number }>(
        `select sum(pg_stat_get_xact_tuples_returned(indexrelid))::int as read from pg_index
          where indrelid in ('request_nonces_0'::regclass, 'request_nonces_1'::regclass, 'request_nonces_2'::regclass)`,
      );
      return rows[0]!.read;
    };
    const before = await readSoFar();
    await owner.query(
      `select decide_requests(array_fill($1::uuid, array[20]), array_fill($2::uuid, array[20]),
        array(select 'new-' || n from generate_series(1, 20) as n), array_fill('findings'::text, array[20]), 60, 300)`,
      [keyId, organizationId],
    );
    const after = await readSoFar();
    await owner.query('rollback');
    return after - before;
  });
  expect(read).toBe(0);
});

it('admits one of two requests for the last place of a minute, decided on two nodes simultaneously', async () => {
  const organizationId = await service.createOrganization();
  const key = await service.mint(organizationId);
  expect(await flood([key], 59)).toEqual({ 200: 59 });
  const lock = `select from request_admissions where subject = '${key.token_id}' for update`;
  const answers = await raceBehindLock(
    service.database.connection,
    lock,
    nodes.map(node => async () => (await send(node.url, signRequest(key, 'GET', '/api/v1/systems'))).status),
  );
  expect(answers.toSorted()).toEqual([200, 401]);
});

it('records when a key was last used, to the minute', async () => {
  const key = await service.mint(await service.createOrganization());
  await send(service.url, signRequest(key, 'GET', '/api/v1/systems'));
  const { rows } = await asOwner(service.database.connection, client =>
    client.query(
      "select last_used_at = date_trunc('minute', last_used_at) as whole, now() - last_used_at < '2 minutes' as recent from api_keys where id = $1",
      [key.token_id],
    ),
  );
  expect(rows).toEqual([{ whole: true, recent: true }]);
});

it('does not wait for a lock on a key: neither for that key’s requests nor for others', async () => {
  const [held, other] = await Promise.all(
    [1, 2].map(async () => service.mint(await service.createOrganization())),
  );
  const request = (key: ClientKey) => send(service.url, signRequest(key, 'GET', '/api/v1/systems'));
  const lastUsed = (client: pg.ClientBase) =>
    client.query('select id from api_keys where id = any($1) and last_used_at is not null', [
      [held!.token_id, other!.token_id],
    ]);
  await asOwner(service.database.connection, async holder => {
    await holder.query('begin');
    await holder.query('select from api_keys where id = $1 for update', [held!.token_id]);
    // In one batch, and in later batches.
    const answers = [...(await Promise.all([held!, other!].map(request))), await request(other!)];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await lastUsed(holder)).rows).toEqual([{ id: other!.token_id }]);
    await holder.query('rollback');
    expect((await request(held!)).status).toBe(200);
    expect((await lastUsed(holder)).rows, 'recorded once it can be').toHaveLength(2);
  });
});

/** Moves the organization's admissions into the past. */
async function passTime(organizationId: string, seconds: number): Promise<void> {
  await asOwner(service.database.connection, client =>
    client.query(
      `update request_admissions set admitted_at =
        array(select at - make_interval(secs => $2) from unnest(admitted_at) with ordinality as t (at, n) order by n)
      where organization_id = $1`,
      [organizationId, seconds],
    ),
  );
}
