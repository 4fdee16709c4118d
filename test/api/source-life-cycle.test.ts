import { afterAll, beforeAll, expect, it } from 'vitest';
import { asOwner } from '../support/postgres.ts';
import { startService, type TestService } from '../support/service.ts';
import { type Answer, type ClientKey, call } from '../support/signing-client.ts';

let service: TestService;
let privileged: TestService;
beforeAll(async () => {
  service = await startService();
  privileged = await startService({
    privilegedConnections: true,
    testConnection: async (source, credential) => ({
      ok: credential !== undefined,
      checked_at: '2026-11-21T08:00:00.000+00:00',
      latency_ms: source.host.length,
      ...(credential ? {} : { error_code: 'auth_failed' }),
    }),
  });
});
afterAll(async () => {
  await service?.close();
  await privileged?.close();
});

interface Client {
  key: ClientKey;
  systemId: string;
  post(path: string, body: object): Promise<Answer>;
}

async function client(on: TestService, options: { privileged?: boolean } = {}): Promise<Client> {
  const key = await on.mint(await on.createOrganization(), options);
  const post = (path: string, body: object) => call(on.url, key, 'POST', path, body);
  const { system } = (
    await post('/api/v1/systems', { name: 'Shop', environment: 'production', kind: 'application' })
  ).json;
  return { key, systemId: system.id, post };
}

const website = (systemId: string) => ({
  system_id: systemId,
  name: 'Front',
  kind: 'website',
  host: 'https://Shop.Example.:443/a',
});
const database = (systemId: string) => ({
  system_id: systemId,
  name: 'Main',
  kind: 'postgres',
  host: 'db.example:5432',
});
const basic = { credential: { type: 'basic', username: 'scanner', password: 'a-secret-of-this-test' } };

it('leads a website from draft to disconnected', async () => {
  const { key, systemId, post } = await client(service);
  const created = await post('/api/v1/sources', website(systemId));
  expect(created.status).toBe(201);
  const { source, risk_statement } = created.json;
  expect(source).toEqual({
    id: expect.any(String),
    name: 'Front',
    kind: 'website',
    host: 'https://shop.example/a',
    status: 'draft',
    system_id: systemId,
    scan_authorized_at: null,
    connection_mode: 'direct',
  });
  expect(risk_statement).toEqual({ version: '1', text: expect.stringContaining('GET and HEAD') });
  const path = `/api/v1/sources/${source.id}`;

  for (const [action, body] of [
    ['credential', basic],
    ['test', {}],
    ['authorize-scan', {}],
  ] as const) {
    const refused = await post(`${path}/${action}`, body);
    expect([refused.status, refused.json.error_code], action).toEqual([400, 'source_is_draft']);
  }

  const outdated = await post(`${path}/risk-accept`, { statement_version: '0' });
  expect(outdated.json).toEqual({
    error: expect.any(String),
    error_code: 'risk_statement_outdated',
    risk_statement,
  });
  const accepted = await post(`${path}/risk-accept`, { statement_version: '1' });
  expect(accepted.json).toEqual({
    source: { ...source, status: 'pending' },
    risk_acceptance: { statement_version: '1', accepted_at: expect.stringMatching(/\.\d{3}\+00:00$/) },
  });

  const stored = await post(`${path}/credential`, basic);
  expect([stored.status, stored.json]).toEqual([
    200,
    {
      source: { ...source, status: 'pending' },
      credential: { type: 'basic', stored_at: expect.any(String) },
    },
  ]);
  expect(stored.text).not.toContain('secret');

  const tested = await post(`${path}/test`, {});
  expect(tested.json.source).toMatchObject({ status: 'connected', scan_authorized_at: null });
  expect(tested.json.test).toEqual({
    ok: true,
    checked_at: expect.any(String),
    latency_ms: expect.any(Number),
  });

  const authorized = await post(`${path}/authorize-scan`, {});
  expect(authorized.json.source.scan_authorized_at).toMatch(/\+00:00$/);
  const again = await post(`${path}/authorize-scan`, {});
  expect(again.json).toEqual(authorized.json);

  const disconnected = await call(service.url, key, 'DELETE', path);
  expect(disconnected.json.source).toMatchObject({ status: 'disconnected', scan_authorized_at: null });
  expect((await call(service.url, key, 'DELETE', path)).json).toEqual(disconnected.json);
  const after = await post(`${path}/authorize-scan`, {});
  expect([after.status, after.json.error_code]).toEqual([400, 'source_is_disconnected']);
  const bytes = await asOwner(service.database.connection, db =>
    db.query('select count(*)::int as left from source_credentials where source_id = $1', [source.id]),
  );
  expect(bytes.rows).toEqual([{ left: 0 }]);
});

it('takes an empty body for {} where the body may be {}, and nowhere else', async () => {
  const { key, systemId, post } = await client(service);
  const { source } = (await post('/api/v1/sources', website(systemId))).json;
  const empty = (path: string) => call(service.url, key, 'POST', path);
  for (const action of ['risk-accept', 'test', 'authorize-scan']) {
    expect((await empty(`/api/v1/sources/${source.id}/${action}`)).status, action).toBe(200);
  }
  for (const path of [
    `/api/v1/sources/${source.id}/credential`,
    '/api/v1/sources',
    '/api/v1/systems',
    '/api/v1/scans',
  ]) {
    expect((await empty(path)).status, path).toBe(400);
  }
});

it('keeps database credentials out while they are switched off', async () => {
  const dsn = {
    credential: { type: 'dsn', dsn: 'postgresql://scanner:a-secret-of-this-test@db.example/app' },
  };
  for (const [on, holds, expected] of [
    [service, false, { error: 'Forbidden' }],
    [service, true, { error: 'Forbidden', error_code: 'privileged_connections_disabled' }],
    [privileged, false, { error: 'Forbidden' }],
  ] as const) {
    const { systemId, post } = await client(on, { privileged: holds });
    const { source } = (await post('/api/v1/sources', database(systemId))).json;
    await post(`/api/v1/sources/${source.id}/risk-accept`, {});
    const refused = await post(`/api/v1/sources/${source.id}/credential`, dsn);
    expect([refused.status, refused.json]).toEqual([403, expected]);
  }
  const { systemId, post } = await client(privileged, { privileged: true });
  const { source } = (await post('/api/v1/sources', database(systemId))).json;
  await post(`/api/v1/sources/${source.id}/risk-accept`, {});
  const failing = await post(`/api/v1/sources/${source.id}/test`, {});
  expect([failing.json.source.status, failing.json.test.error_code]).toEqual(['failing', 'auth_failed']);
  expect((await post(`/api/v1/sources/${source.id}/credential`, basic)).json.error_code).toBe(
    'credential_not_applicable',
  );
  expect((await post(`/api/v1/sources/${source.id}/credential`, dsn)).status).toBe(200);
  expect((await post(`/api/v1/sources/${source.id}/test`, {})).json.source.status).toBe('connected');
});

it('stores a credential encrypted: no byte of it is anywhere in the database', async () => {
  const { systemId, post } = await client(service);
  const { source } = (await post('/api/v1/sources', website(systemId))).json;
  await post(`/api/v1/sources/${source.id}/risk-accept`, {});
  const secret = 'a-password-to-be-looked-for-everywhere';
  await post(`/api/v1/sources/${source.id}/credential`, {
    credential: { ...basic.credential, password: secret },
  });
  const found = await asOwner(service.database.connection, async db => {
    const { rows: tables } = await db.query<{ name: string }>(
      "select schemaname || '.' || tablename as name from pg_tables where schemaname in ('public', 'pgboss')",
    );
    const hits: string[] = [];
    for (const { name } of tables) {
      const text = `select from ${name} t where t::text like $1 or encode(convert_to(t::text, 'UTF8'), 'escape') like $1
        or t::text like '%' || encode(convert_to($2, 'UTF8'), 'hex') || '%'`;
      if ((await db.query(text, [`%${secret}%`, secret])).rowCount) hits.push(name);
    }
    return { tables: tables.length, hits };
  });
  expect(found.tables).toBeGreaterThan(15);
  expect(found.hits).toEqual([]);
});

it('gives a source that a probe assesses no credential', async () => {
  const { systemId, post } = await client(service);
  const { source } = (await post('/api/v1/sources', { ...website(systemId), connection_mode: 'probe' })).json;
  expect(source.connection_mode).toBe('probe');
  await post(`/api/v1/sources/${source.id}/risk-accept`, {});
  expect((await post(`/api/v1/sources/${source.id}/credential`, basic)).json.error_code).toBe(
    'source_is_probe_mode',
  );
});

it.each([
  ['website', 'http://user:secret@shop.example/'],
  ['website', 'https://shop.example/?q=1'],
  ['website', 'ftp://shop.example/'],
  ['website', 'shop.example/path'],
  ['website', 'two words'],
  ['postgres', 'postgresql://db.example/app'],
  ['mysql', 'db.example:99999'],
])('refuses %s host %s, and does not repeat it', async (kind, host) => {
  const { systemId, post } = await client(service);
  const refused = await post('/api/v1/sources', { system_id: systemId, name: 'x', kind, host });
  expect([refused.status, refused.json.fields[0].path]).toEqual([400, 'host']);
  expect(refused.text).not.toContain('secret');
});

it.each([
  ['website', 'EXAMPLE.com', 'example.com'],
  ['website', 'example.com:8443', 'example.com:8443'],
  ['website', 'bücher.example', 'xn--bcher-kva.example'],
  ['website', 'http://127.0.0.1:8080', 'http://127.0.0.1:8080/'],
  ['postgres', 'DB.example:5432', 'db.example:5432'],
  ['mysql', '2001:db8::1', '[2001:db8::1]'],
  ['supabase', 'https://abc.supabase.example', 'abc.supabase.example'],
])('writes %s host %s as %s', async (kind, host, expected) => {
  const { systemId, post } = await client(service);
  const created = await post('/api/v1/sources', { system_id: systemId, name: 'x', kind, host });
  expect(created.json.source.host).toBe(expected);
});
