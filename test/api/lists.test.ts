import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { asOwner } from '../support/postgres.ts';
import { type SharedService, sharedService } from '../support/service.ts';
import { type ClientKey, call } from '../support/signing-client.ts';
import { createFixture, type Fixture } from './routes.ts';

let service: SharedService;
let fixture: Fixture;
let key: ClientKey;
beforeAll(async () => {
  service = await sharedService();
  fixture = await createFixture(service);
  await asOwner(service.database.connection, client =>
    client.query(
      `insert into findings (organization_id, system_id, source_id, category, fingerprint, locator, severity, title,
          remediation, seen, hipaa, observed, created_at)
        select $1, $2, $3, (array['tls.weak_cipher', 'tls.expired', 'tlsx.other', 'csp.missing', 'hipaa.tracker'])[1 + n % 5],
          'f' || n, 'l', (array['critical', 'high', 'medium', 'low', 'info'])[1 + n % 5], 't', 'r', 's', n % 5 < 3,
          n % 2 = 0, now() - make_interval(secs => n / 10)
        from generate_series(1, 249) n`,
      [fixture.organizationId, fixture.systemId, fixture.sourceId],
    ),
  );
  key = fixture.key;
});

interface Finding {
  id: string;
  created_at: string;
  updated_at: string;
  category: string;
  severity: string;
  status: string;
}

const list = async (query: string) => {
  key = await service.mint(fixture.organizationId);
  const answer = await call(service.url, key, 'GET', `/api/v1/findings${query}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.json as { findings: Finding[]; next_cursor: string | null };
};

describe('findings', () => {
  it('contain at most 100, newest first, and each once with the cursor (spec 4, 8)', async () => {
    const all: Finding[] = [];
    let cursor: string | null = '';
    const sizes: number[] = [];
    while (cursor !== null) {
      const page = await list(cursor ? `?cursor=${cursor}` : '');
      all.push(...page.findings);
      sizes.push(page.findings.length);
      cursor = page.next_cursor;
    }
    expect(sizes).toEqual([100, 100, 50]);
    expect(new Set(all.map(finding => finding.id)).size).toBe(250);
    const order = (finding: Finding) => `${finding.created_at} ${finding.id}`;
    expect(all.map(order)).toEqual(all.map(order).sort().reverse());
  });

  it('have exactly the fields of the specification (spec 1, 2, 4)', async () => {
    const { findings } = await list('?limit=1');
    expect(Object.keys(findings[0]!)).toEqual([
      'id',
      'severity',
      'category',
      'title',
      'remediation',
      'status',
      'created_at',
      'updated_at',
      'system_id',
    ]);
    for (const time of ['created_at', 'updated_at'] as const) {
      expect(findings[0]![time]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/);
    }
    const one = await call(service.url, key, 'GET', `/api/v1/findings/${findings[0]!.id}`);
    expect(one.json).toEqual({ finding: findings[0] });
  });

  it.each([
    ['?severity=high', (finding: Finding) => finding.severity === 'high', 51],
    ['?status=resolved', (finding: Finding) => finding.status === 'resolved', 125],
    ['?category=tls', (finding: Finding) => finding.category.startsWith('tls.'), 100],
    ['?category=tls.expired', (finding: Finding) => finding.category === 'tls.expired', 51],
    ['?category=hipaa', () => true, 150],
    ['?category=csp&severity=low&status=open', (finding: Finding) => finding.category === 'csp.missing', 25],
    ['?category=none', () => false, 0],
  ])('are filtered by %s (spec 3, 4)', async (query, fits, count) => {
    const findings: Finding[] = [];
    let page = await list(query);
    findings.push(...page.findings);
    while (page.next_cursor) {
      page = await list(`${query}&cursor=${page.next_cursor}`);
      findings.push(...page.findings);
    }
    expect(findings.every(fits)).toBe(true);
    expect(findings).toHaveLength(count);
  });

  it.each([
    ['system_id', () => fixture.systemId],
    ['source_id', () => fixture.sourceId],
  ])('are filtered by %s, and empty for an unknown one', async (name, id) => {
    expect((await list(`?${name}=${id()}&limit=1`)).findings).toHaveLength(1);
    expect((await list(`?${name}=${randomUUID()}`)).findings).toEqual([]);
    const answer = await call(service.url, key, 'GET', `/api/v1/findings?${name}=x`);
    expect([answer.status, answer.json.fields[0].path]).toEqual([400, name]);
  });
});

it.each([
  ['limit', '?limit=0'],
  ['limit', '?limit=101'],
  ['limit', '?limit=1&limit=2'],
  ['severity', '?severity=dire'],
  ['status', '?status=closed'],
  ['category', '?category=TLS%25'],
  ['tenant_id', '?tenant_id=1'],
  ['cursor', '?cursor=abc'],
  [
    'cursor',
    `?cursor=${Buffer.from('["2026-02-31T00:00:00.000+00:00","00000000-0000-4000-8000-000000000000",""]').toString('base64url')}`,
  ],
])('reports the invalid parameter %s in %s (spec 4)', async (path, query) => {
  key = await service.mint(fixture.organizationId);
  const answer = await call(service.url, key, 'GET', `/api/v1/findings${query}`);
  expect([answer.status, answer.json.error]).toEqual([400, 'Invalid body']);
  expect(answer.json.fields.map((field: { path: string }) => field.path)).toContain(path);
});

it.each([
  ['limit=101', 'limit', 'must be a number from 1 to 100'],
  ['limit=1&limit=2', 'limit', 'must be sent only once'],
  ['severity=high&severity=low', 'severity', 'must be sent only once'],
  ['category=A', 'category', 'must be a check ID, such as tls.weak_key'],
])('explains what is wrong with ?%s (spec 4)', async (query, path, message) => {
  key = await service.mint(fixture.organizationId);
  const answer = await call(service.url, key, 'GET', `/api/v1/findings?${query}`);
  expect([answer.status, answer.json.fields]).toEqual([400, [{ path, message }]]);
});

it('binds a cursor to its filters (spec 4)', async () => {
  const { next_cursor } = await list('?limit=1&severity=high');
  const answer = await call(
    service.url,
    key,
    'GET',
    `/api/v1/findings?limit=1&severity=low&cursor=${next_cursor}`,
  );
  expect([answer.status, answer.json.error_code]).toEqual([400, 'invalid_cursor']);
});

it.each([
  '2026-02-31T00:00:00.000+00:00',
  '+010000-01-01T00:00:00.000+00:00',
  '1969-12-31T00:00:00.000+00:00',
])('refuses a cursor changed to %s', async time => {
  const { next_cursor } = await list('?limit=1');
  const [, ...rest] = JSON.parse(Buffer.from(next_cursor!, 'base64url').toString());
  const cursor = Buffer.from(JSON.stringify([time, ...rest])).toString('base64url');
  const answer = await call(service.url, key, 'GET', `/api/v1/findings?limit=1&cursor=${cursor}`);
  expect([answer.status, answer.json.error_code], answer.text).toEqual([400, 'invalid_cursor']);
});

const otherLists: [string, string[]][] = [
  ['systems', ['id', 'name', 'external_id', 'environment', 'kind', 'approved']],
  ['sources', ['id', 'name', 'kind', 'host', 'status', 'system_id', 'scan_authorized_at', 'connection_mode']],
  [
    'scans',
    [
      'id',
      'profile',
      'status',
      'verdict',
      'runs_planned',
      'runs_succeeded',
      'system_id',
      'source_id',
      'created_at',
      'started_at',
      'finished_at',
    ],
  ],
];

it.each(otherLists)(
  '%s have the same envelope and cursor, and exactly their fields (spec 2, 4)',
  async (name, fields) => {
    key = await service.mint(fixture.organizationId);
    const answer = await call(service.url, key, 'GET', `/api/v1/${name}?limit=1`);
    expect(Object.keys(answer.json)).toEqual([name, 'next_cursor']);
    expect(answer.json[name].map(Object.keys)).toEqual([fields]);
  },
);

it('shows a system that a key created as not approved (spec 2)', async () => {
  key = await service.mint(fixture.organizationId);
  const { systems } = (await call(service.url, key, 'GET', '/api/v1/systems')).json;
  expect(systems).toMatchObject([{ name: 'Shop', external_id: null, approved: false }]);
});

it('one scan includes its runs, each with detector and status, and no log (spec 2, 4)', async () => {
  key = await service.mint(fixture.organizationId);
  await asOwner(service.database.connection, client =>
    client.query(
      `insert into scan_runs (organization_id, scan_id, source_id, detector, status)
        values ($1, $2, $3, 'website.headers', 'running')`,
      [fixture.organizationId, fixture.scanId, fixture.sourceId],
    ),
  );
  const { scan } = (await call(service.url, key, 'GET', `/api/v1/scans/${fixture.scanId}`)).json;
  expect(Object.keys(scan)).toEqual([...otherLists[2]![1], 'runs']);
  expect(scan.runs).toEqual([
    {
      id: expect.any(String),
      detector: 'website.headers',
      source_id: fixture.sourceId,
      status: 'running',
      cause: null,
      started_at: null,
      finished_at: null,
    },
  ]);
});

it.each(otherLists)(
  '%s contain at most 100, newest first, and each once with the cursor (spec 4, 8)',
  async name => {
    const { organizationId, key: reader, systemId } = await createFixture(service);
    const values = {
      systems: "name, environment, kind) select $1, 'S', 'test', 'api'",
      sources: `system_id, name, kind, host, connection_mode)
      select $1, '${systemId}', 'S', 'website', 'a.example', 'direct'`,
      scans: `system_id, profile, idempotency_key, sources)
      select $1, '${systemId}', 'safe_all_surfaces', 'key ' || n, 1`,
    }[name];
    // Two with each time, so that the order depends on the ids too.
    await asOwner(service.database.connection, client =>
      client.query(
        `insert into ${name} (organization_id, ${values}, now() - make_interval(secs => n / 2)
        from generate_series(1, 129) n`.replace(/\)\s+select/, ', created_at) select'),
        [organizationId],
      ),
    );
    const { rows } = await asOwner(service.database.connection, client =>
      client.query<{ id: string }>(
        `select id from ${name} where organization_id = $1 order by created_at desc, id desc`,
        [organizationId],
      ),
    );
    const pages: string[][] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query: string = cursor && `?cursor=${cursor}`;
      const { json } = await call(service.url, reader, 'GET', `/api/v1/${name}${query}`);
      pages.push(json[name].map(({ id }: { id: string }) => id));
      cursor = json.next_cursor;
    }
    expect(pages.map(page => page.length)).toEqual([100, 30]);
    expect(pages.flat()).toEqual(rows.map(({ id }) => id));
  },
);

it('answers HEAD like GET, without the body (spec 4, 5)', async () => {
  key = await service.mint(fixture.organizationId);
  const answer = await call(service.url, key, 'HEAD', '/api/v1/findings');
  expect([answer.status, answer.text]).toEqual([200, '']);
  expect(Number(answer.headers.get('content-length'))).toBeGreaterThan(1000);
  expect((await call(service.url, key, 'HEAD', '/api/v1/findings/nonsense')).status).toBe(404);
});

it.each([
  '/api/v1/findings/nonsense',
  '/api/v1/findings/00000000-0000-4000-8000-00000000000z',
  '/api/v1/scans/%00',
])('answers 404 for %s (spec 7)', async path => {
  key = await service.mint(fixture.organizationId);
  expect((await call(service.url, key, 'GET', path)).status).toBe(404);
});

it('authenticates before answering 404 (spec 1, 5, 6)', async () => {
  key = await service.mint(fixture.organizationId);
  for (const [method, path] of [
    ['GET', '/api/v1/nothing'],
    ['GET', '/api/v1'],
    ['GET', '/functions/v1/nothing'],
    ['PUT', '/api/v1/systems'],
    ...['query', 'sql', 'rest', 'controls', 'evidence', 'webhooks', 'keys'].flatMap(
      name =>
        [
          ['GET', `/api/v1/${name}`],
          ['POST', `/api/v1/${name}`],
        ] as const,
    ),
    ['PATCH', '/api/v1/findings'],
    ['GET', '/api/v1/%zz'],
    ['GET', `/api/v1/findings/${'a'.repeat(3000)}`],
  ] as const) {
    const body = method === 'GET' ? undefined : {};
    expect((await call(service.url, key, method, path, body)).status, path).toBe(404);
    const unsigned = await fetch(service.url + path, { method, ...(body ? { body: '{}' } : {}) });
    expect(unsigned.status, `${path} unsigned`).toBe(401);
  }
  for (const path of ['/elsewhere', '/query', '/sql', '/rest', '/rest/v1'])
    expect((await fetch(service.url + path)).status, path).toBe(404);
});
