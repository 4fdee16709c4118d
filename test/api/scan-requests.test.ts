import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { asOwner } from '../support/postgres.ts';
import { startService, type TestNode, type TestService } from '../support/service.ts';
import { call } from '../support/signing-client.ts';
import { createFixture, type Fixture } from './routes.ts';

let service: TestService;
let second: TestNode;
let fixture: Fixture;
beforeAll(async () => {
  service = await startService();
  second = await service.addNode();
});
afterAll(() => service?.close());

const request = async (body: object, url = service.url) =>
  call(url, fixture.key, 'POST', '/api/v1/scans', body);

it('creates once and is then reused, forever and by all keys of the organization (spec 1, 2, 4)', async () => {
  fixture = await createFixture(service);
  const body = { source_id: fixture.sourceId, idempotency_key: 'nightly-2026-11-21' };
  const created = await request(body);
  expect([created.status, created.json.scan]).toEqual([
    201,
    {
      id: expect.any(String),
      profile: 'safe_all_surfaces',
      status: 'queued',
      verdict: null,
      runs_planned: 0,
      runs_succeeded: 0,
      system_id: null,
      source_id: fixture.sourceId,
      created_at: expect.any(String),
      started_at: null,
      finished_at: null,
    },
  ]);
  const reused = await request(body, second.url);
  expect([reused.status, reused.json]).toEqual([200, created.json]);
  await call(service.url, fixture.key, 'DELETE', `/api/v1/sources/${fixture.sourceId}`);
  expect((await request(body)).status, 'even after the source was disconnected').toBe(200);
  const other = await request({ system_id: fixture.systemId, idempotency_key: body.idempotency_key });
  expect([other.status, other.json.error_code]).toEqual([400, 'idempotency_key_reused']);
});

it('creates one scan and one job for simultaneous requests on two nodes (spec 4)', async () => {
  fixture = await createFixture(service);
  const body = { system_id: fixture.systemId, idempotency_key: randomUUID() };
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, index) => request(body, index % 2 ? second.url : service.url)),
  );
  expect(answers.map(answer => answer.status).sort()).toEqual([...Array(29).fill(200), 201]);
  const ids = new Set(answers.map(answer => answer.json.scan.id));
  expect(ids.size).toBe(1);
  const jobs = await asOwner(service.database.connection, client =>
    client.query(
      "select count(*)::int as jobs from pgboss.job where name = 'scan-plan' and data->>'scanId' = $1",
      [[...ids][0]],
    ),
  );
  expect(jobs.rows).toEqual([{ jobs: 1 }]);
});

it('names the rule that a request violates (spec 1, 4, 7, 8)', async () => {
  fixture = await createFixture(service);
  const { sourceId: source_id, systemId: system_id } = fixture;
  const idempotency_key = 'a-good-key';
  for (const [body, code, path] of [
    [{ source_id, system_id, idempotency_key }, 'scan_target_ambiguous'],
    [{ idempotency_key }, 'scan_target_ambiguous'],
    [{ source_id, idempotency_key: '7 chars' }, undefined, 'idempotency_key'],
    [{ source_id, idempotency_key: 12345678 }, undefined, 'idempotency_key'],
    [{ source_id }, undefined, 'idempotency_key'],
    [{ source_id: 'x', idempotency_key }, undefined, 'source_id'],
    [{ source_id, idempotency_key, profile: 'full_active' }, undefined, 'profile'],
    [[source_id], undefined, ''],
  ] as const) {
    const answer = await request(body);
    expect(
      [answer.status, answer.json.error_code, answer.json.fields?.[0]?.path],
      JSON.stringify(body),
    ).toEqual([400, code, path]);
  }
  expect((await request({ source_id, idempotency_key: '8 chars!' })).status).toBe(201);
});

it('does not scan anything unauthorized (spec 4)', async () => {
  fixture = await createFixture(service);
  await call(service.url, fixture.key, 'DELETE', `/api/v1/sources/${fixture.sourceId}`);
  for (const target of [{ source_id: fixture.sourceId }, { system_id: fixture.systemId }]) {
    const answer = await request({ ...target, idempotency_key: randomUUID() });
    expect([answer.status, answer.json.error_code]).toEqual([400, 'scan_not_authorized']);
  }
});

it('names the next accepted step if nothing is authorized (spec 4)', async () => {
  fixture = await createFixture(service);
  const post = (path: string, body: object) => call(service.url, fixture.key, 'POST', path, body);
  const { system } = (await post('/api/v1/systems', { name: 'B', environment: 'test', kind: 'api' })).json;
  const told = async (target: object) => {
    const answer = await request({ ...target, idempotency_key: randomUUID() });
    expect([answer.status, answer.json.error_code]).toEqual([400, 'scan_not_authorized']);
    return answer.json.fields;
  };
  const website = { system_id: system.id, name: 'W', kind: 'website', host: 'a.example' };
  expect(await told({ system_id: system.id })).toEqual([
    { path: 'system_id', message: 'has no sources: create one' },
  ]);
  const { source } = (await post('/api/v1/sources', website)).json;
  expect(await told({ system_id: system.id })).toEqual([
    {
      path: 'system_id',
      message: 'has only drafts: accept the risk statement of one, then call authorize-scan for it',
    },
  ]);
  expect(await told({ source_id: source.id })).toEqual([
    { path: 'source_id', message: 'is a draft: accept its risk statement, then call authorize-scan' },
  ]);
  expect((await post(`/api/v1/sources/${source.id}/risk-accept`, {})).status).toBe(200);
  expect(await told({ source_id: source.id })).toEqual([
    { path: 'source_id', message: 'is not authorized for scans: call authorize-scan' },
  ]);
  expect(await told({ system_id: system.id })).toEqual([
    {
      path: 'system_id',
      message: 'has no source that is authorized for scans: call authorize-scan for one',
    },
  ]);
  expect((await post(`/api/v1/sources/${source.id}/authorize-scan`, {})).status).toBe(200);
  await call(service.url, fixture.key, 'DELETE', `/api/v1/sources/${source.id}`);
  expect(await told({ source_id: source.id })).toEqual([
    { path: 'source_id', message: 'is disconnected: create a new source' },
  ]);
  expect(await told({ system_id: system.id })).toEqual([
    { path: 'system_id', message: 'has only disconnected sources: create a new one' },
  ]);
});

it('explains why nothing can be scanned here, and scans what can be (spec 4)', async () => {
  fixture = await createFixture(service);
  const post = (path: string, body: object) => call(service.url, fixture.key, 'POST', path, body);
  const authorized = async (source: object) => {
    const body = { system_id: fixture.systemId, name: 'S', host: 'db.example', ...source };
    const { id } = (await post('/api/v1/sources', body)).json.source;
    await post(`/api/v1/sources/${id}/risk-accept`, {});
    await post(`/api/v1/sources/${id}/authorize-scan`, {});
    return id;
  };
  for (const [source, message] of [
    [{ kind: 'website', connection_mode: 'probe' }, 'is assessed by a probe'],
    [{ kind: 'postgres', connection_mode: 'probe' }, 'is assessed by a probe'],
    [{ kind: 'mysql' }, expect.stringContaining('PARAPET_PRIVILEGED_CONNECTIONS')],
  ] as const) {
    const answer = await request({ source_id: await authorized(source), idempotency_key: randomUUID() });
    expect([answer.status, answer.json]).toEqual([
      400,
      {
        error: 'No source of this target can be scanned by this service',
        error_code: 'nothing_to_scan',
        fields: [{ path: 'source_id', message }],
      },
    ]);
  }
  const ofSystem = await request({ system_id: fixture.systemId, idempotency_key: randomUUID() });
  expect(ofSystem.status, 'its website can be scanned').toBe(201);
});

it('keeps external_id unique within an organization only (spec 2)', async () => {
  const body = { name: 'A', environment: 'test', kind: 'api', external_id: 'erp-7' };
  for (const _ of [1, 2]) {
    fixture = await createFixture(service);
    const create = () => call(service.url, fixture.key, 'POST', '/api/v1/systems', body);
    const answers = await Promise.all([create(), create(), create()]);
    expect(answers.map(answer => answer.status).sort()).toEqual([201, 400, 400]);
    expect(answers.find(answer => answer.status === 400)!.json.error_code).toBe('external_id_taken');
  }
});
