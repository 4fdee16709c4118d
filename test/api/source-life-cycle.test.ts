import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectionTester } from '../../src/main/test-connection.ts';
import { asOwner } from '../support/postgres.ts';
import { loopbackSandbox } from '../support/sandbox.ts';
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
const basic = { credential: { type: 'basic', username: 'scanner', password: 'a-secret-of-this-test' } };

it('takes a website from draft to disconnected (spec 2, 3, 4)', async () => {
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
  expect(risk_statement).toEqual({ version: '3', text: expect.stringContaining('GET requests') });
  const path = `/api/v1/sources/${source.id}`;

  for (const [action, body] of [
    ['credential', basic],
    ['test', {}],
    ['authorize-scan', {}],
  ] as const) {
    const refused = await post(`${path}/${action}`, body);
    expect([refused.status, refused.json.error_code], action).toEqual([400, 'source_is_draft']);
  }

  const outdated = await post(`${path}/risk-accept`, { statement_version: '2' });
  expect(outdated.json).toEqual({
    error: expect.any(String),
    error_code: 'risk_statement_outdated',
    risk_statement,
    fields: [{ path: 'statement_version', message: `must be ${risk_statement.version}` }],
  });
  const accepted = await post(`${path}/risk-accept`, { statement_version: '3' });
  expect(accepted.json).toEqual({
    source: { ...source, status: 'pending' },
    risk_acceptance: { statement_version: '3', accepted_at: expect.stringMatching(/\.\d{3}\+00:00$/) },
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
  const acceptedAgain = await post(`${path}/risk-accept`, {});
  expect(acceptedAgain.json.source.status, 'accepted again').toBe('connected');

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

it('authorizes no scan and turns on nothing when a connection test passes (spec 1, 4)', async () => {
  const { systemId, post } = await client(service);
  const { source } = (await post('/api/v1/sources', website(systemId))).json;
  await post(`/api/v1/sources/${source.id}/risk-accept`, {});
  const left = () =>
    asOwner(service.database.connection, db =>
      db.query<{ jobs: number; scans: number; watches: number }>(
        `select (select count(*)::int from pgboss.job) as jobs, (select count(*)::int from scans) as scans,
          (select count(*)::int from watches) as watches`,
      ),
    );
  const before = (await left()).rows;
  const { json } = await post(`/api/v1/sources/${source.id}/test`, {});
  expect([json.test.ok, json.source.scan_authorized_at]).toEqual([true, null]);
  expect((await left()).rows).toEqual(before);
  for (const target of [{ source_id: source.id }, { system_id: systemId }]) {
    const refused = await post('/api/v1/scans', { ...target, idempotency_key: 'after-the-test' });
    expect([refused.status, refused.json.error_code]).toEqual([400, 'scan_not_authorized']);
  }
});

it('accepts an empty body for {} if the body may be {}, and nowhere else (spec 4)', async () => {
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

const databases = [
  ['postgres', { type: 'dsn', dsn: 'postgresql://scanner:a-secret-of-this-test@db.example/app' }],
  ['mysql', { type: 'dsn', dsn: 'mysql://scanner:a-secret-of-this-test@db.example/app' }],
  ['redis', { type: 'dsn', dsn: 'rediss://scanner:a-secret-of-this-test@db.example/0' }],
  ['supabase', { type: 'service_role', url: 'https://db.example', key: 'a-secret-of-this-test' }],
] as const;

it.each(databases)(
  'refuses credentials of %s while they are switched off (spec 2, 4, 5, 7)',
  async (kind, credential) => {
    const dsn = { credential };
    const database = (system_id: string) => ({ system_id, name: 'Main', kind, host: 'db.example' });
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
    const stored = await post(`/api/v1/sources/${source.id}/credential`, dsn);
    expect(stored.status, stored.text).toBe(200);
    expect(stored.text).not.toContain('a-secret');
    expect((await post(`/api/v1/sources/${source.id}/test`, {})).json.source.status).toBe('connected');
  },
);

it('stores a credential encrypted: none of its bytes is in the database (spec 1)', async () => {
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

it('makes a source untested again when it gets a new credential (spec 4)', async () => {
  const { systemId, post } = await client(service);
  const { source } = (await post('/api/v1/sources', website(systemId))).json;
  const path = `/api/v1/sources/${source.id}`;
  await post(`${path}/risk-accept`, {});
  expect((await post(`${path}/test`, {})).json.source.status).toBe('connected');
  expect((await post(`${path}/credential`, basic)).json.source.status).toBe('pending');
  expect((await post(`${path}/test`, {})).json.source.status).toBe('connected');
});

const refusedForms: readonly [kind: string, credential: Record<string, string>, field: string][] = [
  ['postgres', { type: 'dsn', dsn: 'mysql://u:a-secret@db.example/app' }, 'dsn'],
  ['postgres', { type: 'dsn', dsn: 'host=db.example user=u password=a-secret' }, 'dsn'],
  ['postgres', { type: 'dsn', dsn: 'postgresql://db.example/app' }, 'dsn'],
  ['postgres', { type: 'dsn', dsn: 'postgresql://u:a-secret@db.example/app?options=-c' }, 'dsn'],
  ['mysql', { type: 'dsn', dsn: 'postgresql://u:a-secret@db.example/app' }, 'dsn'],
  ['redis', { type: 'dsn', dsn: 'postgresql://u:a-secret@db.example/0' }, 'dsn'],
  ['redis', { type: 'dsn', dsn: 'rediss://u:a-secret@db.example/app' }, 'dsn'],
  ['redis', { type: 'dsn', dsn: 'rediss://u:a-secret@db.example/0?sslmode=disable' }, 'dsn'],
  ['supabase', { type: 'service_role', url: 'a-secret', key: 'k' }, 'url'],
  ['supabase', { type: 'service_role', url: 'http://db.example', key: 'k' }, 'url'],
  ['supabase', { type: 'service_role', url: 'https://db.example/rest/v1', key: 'k' }, 'url'],
  ['supabase', { type: 'service_role', url: 'https://db.example', key: 'a secret' }, 'key'],
  [
    'supabase',
    { type: 'service_role', url: 'https://db.example', key: 'k', anon_key: 'a-secret' },
    'anon_key',
  ],
  ['website', { type: 'header', name: 'Host', value: 'a-secret' }, 'name'],
  ['website', { type: 'header', name: 'content-length', value: 'a-secret' }, 'name'],
  ['website', { type: 'header', name: 'Transfer-Encoding', value: 'a-secret' }, 'name'],
  ['website', { type: 'header', name: 'accept-encoding', value: 'a-secret' }, 'name'],
  ['website', { type: 'header', name: 'If-None-Match', value: 'a-secret' }, 'name'],
  ['website', { type: 'basic', username: 'u:v', password: 'a-secret' }, 'username'],
  ['website', { type: 'basic', username: 'u', password: 'a-secret\n' }, 'password'],
];

it.each(refusedForms)('refuses a malformed %s credential: %j (spec 4)', async (kind, credential, field) => {
  const { systemId, post } = await client(privileged, { privileged: true });
  const body = { system_id: systemId, name: 'S', kind, host: 'db.example' };
  const { source } = (await post('/api/v1/sources', body)).json;
  await post(`/api/v1/sources/${source.id}/risk-accept`, {});
  const answer = await post(`/api/v1/sources/${source.id}/credential`, { credential });
  expect([answer.status, answer.json.fields]).toEqual([
    400,
    [{ path: `credential.${field}`, message: expect.stringMatching(/^must /) }],
  ]);
  expect(answer.text).not.toMatch(/a.secret/);
});

it('stores no credential for a source that a probe assesses (spec 2, 5)', async () => {
  const { systemId, post } = await client(service);
  const { source } = (await post('/api/v1/sources', { ...website(systemId), connection_mode: 'probe' })).json;
  expect(source.connection_mode).toBe('probe');
  await post(`/api/v1/sources/${source.id}/risk-accept`, {});
  expect((await post(`/api/v1/sources/${source.id}/credential`, basic)).json.error_code).toBe(
    'source_is_probe_mode',
  );
  // The privileged kind is refused before its credential is validated.
  const database = {
    system_id: systemId,
    name: 'D',
    kind: 'postgres',
    host: 'db.example',
    connection_mode: 'probe',
  };
  const { id } = (await post('/api/v1/sources', database)).json.source;
  await post(`/api/v1/sources/${id}/risk-accept`, {});
  const credential = { type: 'dsn', dsn: 'postgres://u:p@db.example/app' };
  expect((await post(`/api/v1/sources/${id}/credential`, { credential })).json.error_code).toBe(
    'source_is_probe_mode',
  );
});

it('is not set by a test of a replaced credential (spec 4)', async () => {
  let [begun, end] = [() => {}, () => {}];
  const beginning = new Promise<void>(resolve => {
    begun = resolve;
  });
  const ending = new Promise<void>(resolve => {
    end = resolve;
  });
  const slow = await startService({
    testConnection: async () => {
      begun();
      await ending;
      return { ok: true, checked_at: '2026-11-21T08:00:00.000+00:00', latency_ms: 1 };
    },
  });
  try {
    const { systemId, post } = await client(slow);
    const { id } = (await post('/api/v1/sources', website(systemId))).json.source;
    const to = (action: string, body: object = {}) => post(`/api/v1/sources/${id}/${action}`, body);
    await to('risk-accept');
    await to('credential', basic);
    const tested = to('test');
    await beginning;
    await to('credential', basic);
    end();
    const { status, json } = await tested;
    expect([status, json.test.ok, json.source.status]).toEqual([200, true, 'pending']);
    expect((await to('test')).json.source.status, 'of the new one').toBe('connected');
  } finally {
    await slow.close();
  }
});

it('reports a missing probe report, which is not a failure (spec 2)', async () => {
  const testConnection = connectionTester({ sandbox: loopbackSandbox(), privilegedConnections: true });
  const real = await startService({ privilegedConnections: true, testConnection });
  try {
    for (const kind of ['website', 'postgres']) {
      const { systemId, post } = await client(real);
      const body = { system_id: systemId, name: 'S', kind, host: 'db.example', connection_mode: 'probe' };
      const { source } = (await post('/api/v1/sources', body)).json;
      await post(`/api/v1/sources/${source.id}/risk-accept`, {});
      const { status, json } = await post(`/api/v1/sources/${source.id}/test`, {});
      expect([status, json.source.status]).toEqual([200, 'pending']);
      expect(json.test).toMatchObject({ ok: false, error_code: 'no_probe_report' });
    }
  } finally {
    await real.close();
  }
});

it.each([
  ['website', 'http://user:secret@shop.example/'],
  ['website', 'https://shop.example/?q=1'],
  ['website', 'ftp://shop.example/'],
  ['website', 'shop.example/path'],
  ['website', 'two words'],
  ['website', 'https://shop.example/?'],
  ['website', 'https://shop.example/#top'],
  ['website', 'https://@shop.example/'],
  ['website', 'https:///shop.example'],
  ['website', 'shop.example:'],
  ['website', 'shop.example:0'],
  ['website', 'shop%2eexample'],
  ['website', 'shop_front.example'],
  ['website', '-shop.example'],
  ['website', 'shop..example'],
  ['website', `${'a'.repeat(64)}.example`],
  ['postgres', 'my_db.example'],
  ['postgres', 'db.example/app'],
  ['supabase', 'https://abc.supabase.example/rest/v1'],
  ['supabase', 'http://abc.supabase.example'],
  ['postgres', 'postgresql://db.example/app'],
  ['mysql', 'db.example:99999'],
  ['redis', 'rediss://u:secret@db.example'],
  ['mysql', 'db.example:0'],
  ['website', '1'],
  ['website', '1.2.3'],
  ['website', '0x7f.1'],
  ['website', '01.02.03.04'],
  ['postgres', '2130706433:5432'],
  ['website', 'https://shop.example/a/../b'],
  ['website', 'https://shop.example/%2e'],
  ['website', 'sh\u00adop.example'],
  ['website', 'https://shop\u200b.example/'],
  ['website', `https://shop.example/${'\u00c9'.repeat(2000)}`],
])('refuses %s host %s, and does not repeat it (spec 2)', async (kind, host) => {
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
  ['website', 'example.com:443', 'example.com'],
  ['website', 'example.com:80', 'example.com'],
  ['website', 'http://example.com:80/a', 'http://example.com/a'],
  ['website', 'https://example.com:443', 'https://example.com/'],
  ['website', 'http://example.com:443', 'http://example.com:443/'],
  ['website', 'https://example.com:80/', 'https://example.com:80/'],
  ['postgres', 'db.example:443', 'db.example:443'],
  ['mysql', '[2001:db8::1]:443', '[2001:db8::1]:443'],
  ['mysql', 'db.example:80', 'db.example:80'],
  ['supabase', 'abc.supabase.example:80', 'abc.supabase.example:80'],
  ['website', '[2001:db8::1]:443', '[2001:db8::1]'],
  ['postgres', 'DB.example:5432', 'db.example'],
  ['postgres', '[2001:db8::1]:5432', '[2001:db8::1]'],
  ['postgres', 'db.example:6543', 'db.example:6543'],
  ['mysql', 'db.example:3306', 'db.example'],
  ['redis', 'db.example:6379', 'db.example'],
  ['redis', 'db.example:6380', 'db.example:6380'],
  ['supabase', 'abc.supabase.example:443', 'abc.supabase.example'],
  ['mysql', '2001:db8::1', '[2001:db8::1]'],
  ['supabase', 'https://abc.supabase.example', 'abc.supabase.example'],
])('normalizes %s host %s to %s (spec 2)', async (kind, host, expected) => {
  const { systemId, post } = await client(service);
  const created = await post('/api/v1/sources', { system_id: systemId, name: 'x', kind, host });
  expect(created.json.source.host).toBe(expected);
});
