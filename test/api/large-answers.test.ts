import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { finishScanIfDone } from '../../src/resources/scans/end-scan.ts';
import { type AuthorizedSource, authorizedSource } from '../support/authorized-source.ts';
import { addPerson } from '../support/people.ts';
import { asOwner } from '../support/postgres.ts';
import { startService, type TestService } from '../support/service.ts';
import { call, signRequest } from '../support/signing-client.ts';

// Responses at the limits of what an organization can create. A long one must not block the event loop.

let service: TestService;
let tenant: AuthorizedSource;
let scanId: string;
beforeAll(async () => {
  service = await startService();
  tenant = await authorizedSource(service);
  scanId = await largeScan();
});
afterAll(() => service?.close());

const runs = 6_500;
const sql = (text: string, values: unknown[]) =>
  asOwner(service.database.connection, client => client.query(text, values));

/** A scan of a system with the maximum number of sources, with 13 runs of each. */
async function largeScan(): Promise<string> {
  const { organizationId, systemId } = tenant;
  await sql(
    `insert into sources (organization_id, system_id, name, kind, host, status, connection_mode, scan_authorized_at)
      select organization_id, system_id, name || n, kind, host, 'connected', connection_mode, now()
      from sources, generate_series(1, 499) as n where id = $1`,
    [tenant.sourceId],
  );
  const { rows } = await sql(
    `insert into scans (organization_id, profile, status, verdict, system_id, idempotency_key, runs_planned, started_at,
        finished_at)
      values ($1, 'safe_all_surfaces', 'completed', 'inconclusive', $2, 'a large scan', ${runs}, now(), now()) returning id`,
    [organizationId, systemId],
  );
  await sql(
    `insert into scan_runs (organization_id, scan_id, source_id, detector, status, cause, started_at, finished_at)
      select $1, $2, s.id, 'website.detector-' || lpad(n::text, 2, '0'), 'failed', 'connection_failed',
        now() - interval '61.5 seconds', case when n > 1 then now() end
      from sources s, generate_series(1, 13) as n where s.system_id = $3`,
    [organizationId, rows[0].id, systemId],
  );
  return rows[0].id;
}

/**
 * Lowest CPU time of this process over several attempts, in milliseconds. Wall-clock time would include other load on
 * the machine.
 */
async function cpuTime(work: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let attempt = 0; attempt < 8; attempt += 1) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1_000);
  }
  return Math.min(...times);
}

/** Reads a response without parsing it, so that this process does little but respond. */
async function receive(path: string, headers: Record<string, string>): Promise<void> {
  const sent = httpRequest(service.url + path, { headers }).end();
  const [response] = await once(sent, 'response');
  expect(response.statusCode).toBe(200);
  await once(response.resume(), 'end');
}

it('answers a scan of thousands of runs completely, in less CPU time than decoding it takes', async () => {
  const key = await service.mint(tenant.organizationId);
  const path = `/api/v1/scans/${scanId}`;
  const { text, json } = await call(service.url, key, 'GET', path);
  expect(json.scan.runs).toHaveLength(runs);
  const [first] = json.scan.runs;
  const fields = ['id', 'detector', 'source_id', 'status', 'cause', 'started_at', 'finished_at'];
  expect(Object.keys(first)).toEqual(fields);
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/;
  expect(first).toMatchObject({ started_at: expect.stringMatching(time), finished_at: null });
  expect(json.scan).toMatchObject({ id: scanId, created_at: expect.stringMatching(time), source_id: null });
  const places = json.scan.runs.map((run: typeof first) => `${run.source_id} ${run.detector}`);
  expect(places).toEqual(places.toSorted());

  let request = 0;
  // A new URL each time, since repeated responses are cached.
  const answering = await cpuTime(() => {
    const target = `${path}?${'&'.repeat(++request)}`;
    return receive(target, signRequest(key, 'GET', target).headers);
  });
  const decoding = await cpuTime(() => JSON.stringify(JSON.parse(text)));
  expect(answering / decoding, `${answering} ms, and ${decoding} ms to decode and write it`).toBeLessThan(5);
});

it('answers people with a scan of thousands of runs in pages', async () => {
  const { client } = await addPerson(service, tenant.organizationId, 'member');
  const path = `/organizations/${tenant.organizationId}/scans/${scanId}`;
  const ids = new Set<string>();
  let cursor: string | null = '';
  let last = '';
  while (cursor !== null) {
    const { status, json, text } = await client.get(cursor === '' ? path : `${path}?cursor=${cursor}`);
    expect(status, text).toBe(200);
    expect(text.length).toBeLessThan(64 * 1024);
    for (const { id } of json.scan.runs) ids.add(id);
    // A page may end within a source, but no page returns to an earlier source.
    const sources = json.scan.runs.map(({ source }: { source: { id: string } }) => source.id).toSorted();
    expect(sources[0] >= last).toBe(true);
    last = sources.at(-1);
    cursor = json.next_cursor;
  }
  expect(ids.size).toBe(runs);
  const other = await client.get(`${path}?cursor=${Buffer.from('["100","x"]').toString('base64url')}`);
  expect(other).toMatchObject({ status: 400, json: { error_code: 'invalid_cursor' } });
});

it('counts the runs of a large scan in the database when one of its sources is finished', async () => {
  const queried: unknown[] = [];
  await tenant.store.transaction(async transaction => {
    await transaction.query({
      text: `update scans set status = 'running', finished_at = null, verdict = null where id = $1`,
      values: [scanId],
    });
    const watched: typeof transaction = {
      ...transaction,
      query: async statement => {
        const rows = await transaction.query(statement);
        queried.push(...rows);
        return rows as never;
      },
    };
    expect(await finishScanIfDone(watched, scanId)).toMatchObject({ status: 'failed' });
  });
  const [{ status, verdict }] = (await sql('select status, verdict from scans where id = $1', [scanId])).rows;
  expect({ status, verdict }).toEqual({ status: 'failed', verdict: 'inconclusive' });
  expect(queried.length, 'rows that were read').toBeLessThan(2_000);
});
