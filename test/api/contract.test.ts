import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asOwner } from '../support/postgres.ts';
import { startService, type TestService } from '../support/service.ts';
import { type Answer, type ClientKey, call, send, signRequest } from '../support/signing-client.ts';
import { createFixture, type Fixture, type Route, routes } from './routes.ts';

let service: TestService;
let foreign: Fixture;
beforeAll(async () => {
  service = await startService();
  foreign = await createFixture(service);
});
afterAll(() => service?.close());

const lists = ['systems', 'sources', 'findings', 'scans'] as const;
const named = routes.map(route => [`${route.method} ${route.pattern}`, route] as const);

interface OpenApi {
  paths: Record<string, Record<string, { requestBody: { content: Record<string, { schema: BodySchema }> } }>>;
}
interface BodySchema {
  properties?: object;
  required?: string[];
}

/** The optional fields of a route's body, according to its OpenAPI document. */
async function optionalFields(route: Route): Promise<string[]> {
  const document = (await (await fetch(`${service.url}/docs/openapi.json`)).json()) as OpenApi;
  const operation = document.paths[route.pattern.replace(':id', '{id}')]![route.method.toLowerCase()]!;
  const { properties = {}, required = [] } = operation.requestBody.content['application/json']!.schema;
  return Object.keys(properties).filter(name => !required.includes(name));
}

describe.each(named)('%s', (_name, route) => {
  let fixture: Fixture;
  let key: ClientKey;
  beforeAll(async () => {
    fixture = await createFixture(service);
    key = await service.mint(fixture.organizationId);
  });

  const ask = (target: string, body?: string): Promise<Answer> =>
    send(service.url, signRequest(key, route.method, target, body));
  const goodBody = () => route.body && JSON.stringify(route.body(fixture));

  it('refuses unknown query parameters without any effect (spec 4)', async () => {
    const before = await call(service.url, key, 'GET', `/api/v1/sources`);
    for (const query of ['dry_run=1', 'dry_run', 'id=1', 'limit=1&dry_run=1']) {
      const answer = await ask(`${route.path(fixture)}?${query}`, goodBody());
      expect([answer.status, answer.json.error_code], query).toEqual([400, 'invalid_query']);
      const parameter = query.includes('dry_run') ? 'dry_run' : 'id';
      expect(answer.json.fields).toContainEqual({
        path: parameter,
        message: 'is not a known field',
      });
    }
    expect((await call(service.url, key, 'GET', `/api/v1/sources`)).json).toEqual(before.json);
    expect((await ask(`${route.path(fixture)}?`, goodBody())).status).toBe(route.status);
  });

  it('does not let a request name an organization (spec 1, 4)', async () => {
    for (const name of ['tenant_id', 'organization_id']) {
      const problem = { path: name, message: 'is not a known field' };
      const query = await ask(`${route.path(fixture)}?${name}=${fixture.organizationId}`, goodBody());
      expect([query.status, query.json.fields], `${name} in the query`).toEqual([400, [problem]]);
      if (!route.body) continue;
      const body = JSON.stringify({ ...route.body(fixture), [name]: fixture.organizationId });
      const answer = await ask(route.path(fixture), body);
      expect([answer.status, answer.json.fields], `${name} in the body`).toEqual([400, [problem]]);
    }
  });

  it('answers 500 to an internal failure, and handles the next request once it is over (spec 7)', async () => {
    const on = await createFixture(service);
    const tables = ['systems', 'sources', 'findings', 'scans'];
    const rename = (from: string, to: string) =>
      asOwner(service.database.connection, client =>
        client.query(tables.map(table => `alter table ${from + table} rename to ${to + table}`).join('; ')),
      );
    const request = () =>
      send(
        service.url,
        signRequest(on.key, route.method, route.path(on), route.body && JSON.stringify(route.body(on))),
      );
    await rename('', 'moved_');
    const failed = await request().finally(() => rename('moved_', ''));
    expect([failed.status, failed.text]).toEqual([500, '{"error":"Request failed"}']);
    expect((await request()).status).toBe(route.status);
  });

  if (route.pattern.includes(':id')) {
    it('answers 404 to an id without an object in the organization, for any body (spec 4, 7)', async () => {
      const bodies = route.body ? ['{}', '[]', '{"no":', '{"unknown_field":1}', ''] : [undefined];
      const theirs = route.path(foreign);
      for (const target of [
        theirs,
        route.pattern.replace(':id', randomUUID()),
        route.pattern.replace(':id', 'x'),
      ]) {
        for (const body of bodies) {
          const answer = await ask(target, body);
          expect([answer.status, answer.text], `${target} ${body}`).toEqual([404, '{"error":"Not found"}']);
        }
      }
    });
  }

  if (route.body) {
    it('accepts null for an optional field (spec 4)', async () => {
      const body = route.body!(fixture) as Record<string, unknown>;
      const optional = (await optionalFields(route)).filter(name => !(name in body));
      const withNulls = { ...body, ...Object.fromEntries(optional.map(name => [name, null])) };
      const answer = await ask(route.path(fixture), JSON.stringify(withNulls));
      expect([route.status, 200], answer.text).toContain(answer.status);
    });
  }

  if (route.method === 'GET') {
    it('compares If-None-Match weakly, in lists and with *, for GET and HEAD (spec 4)', async () => {
      const first = await ask(route.path(fixture));
      const etag = first.headers.get('etag')!;
      for (const method of ['GET', 'HEAD']) {
        const conditional = (value: string) => {
          const parts = signRequest(key, method, route.path(fixture));
          return send(service.url, { ...parts, headers: { ...parts.headers, 'if-none-match': value } });
        };
        const plain = await send(service.url, signRequest(key, method, route.path(fixture)));
        expect([plain.status, plain.headers.get('etag')], method).toEqual([200, etag]);
        for (const value of [etag, `W/${etag}`, `"other", W/${etag}`, `"other",${etag}`, '*']) {
          const answer = await conditional(value);
          expect([answer.status, answer.text, answer.headers.get('etag')], `${method} ${value}`).toEqual([
            304,
            '',
            etag,
          ]);
        }
        for (const value of ['"other"', etag.replaceAll('"', ''), `"other", W/"another"`]) {
          expect((await conditional(value)).status, `${method} ${value}`).toBe(200);
        }
      }
    });
  }
});

it.each(lists)('continues the list of %s only with its own cursor (spec 4)', async name => {
  const organizationId = await service.createOrganization();
  const key = await service.mint(organizationId);
  const { system } = (
    await call(service.url, key, 'POST', '/api/v1/systems', { name: 'A', environment: 'test', kind: 'api' })
  ).json;
  const store = service.storage.tenant(organizationId, { kind: 'service', id: 'test' });
  await store.transaction(async transaction => {
    const insert = (text: string) => transaction.query({ text, values: [system.id] });
    await insert(
      `insert into systems (name, environment, kind) select 'B', 'test', 'api' where $1::uuid is not null`,
    );
    await insert(`insert into sources (system_id, name, kind, host, connection_mode)
      select $1, n, 'website', 'a.example', 'direct' from unnest(array['A', 'B']) n`);
    await insert(`insert into scans (profile, system_id, idempotency_key, sources)
      select 'safe_all_surfaces', $1, 'a key of ' || n, 1 from generate_series(1, 2) n`);
    await insert(`insert into findings (system_id, source_id, category, fingerprint, locator, severity, title,
        remediation, seen, hipaa)
      select $1, id, 'tls.expired', id, 'l', 'high', 't', 'r', 's', true from sources`);
  });
  const page = (list: string, cursor?: string) =>
    call(service.url, key, 'GET', `/api/v1/${list}?limit=1${cursor ? `&cursor=${cursor}` : ''}`);
  const cursor = (await page(name)).json.next_cursor;
  for (const list of lists) {
    const answer = await page(list, cursor);
    if (list === name) expect(answer.json[list]).toHaveLength(1);
    else expect([answer.status, answer.json.error_code], list).toEqual([400, 'invalid_cursor']);
  }
  const others = await service.mint(await service.createOrganization());
  const path = `/api/v1/${name}?limit=1&cursor=${cursor}`;
  const refused = await call(service.url, others, 'GET', path);
  expect([refused.status, refused.json.error_code], 'of another organization').toEqual([
    400,
    'invalid_cursor',
  ]);
});

describe('a body', () => {
  let fixture: Fixture;
  const post = async (path: string, body: unknown, privileged = false) => {
    const key = await service.mint(fixture.organizationId, { privileged });
    return call(service.url, key, 'POST', path, body as object);
  };
  const draft = async (kind = 'website', more: object = {}) => {
    const host = kind === 'supabase' ? 'abc.supabase.example' : 'db.example';
    const body = { system_id: fixture.systemId, name: 'A draft', kind, host, ...more };
    return (await post('/api/v1/sources', body)).json.source.id as string;
  };
  beforeAll(async () => {
    fixture = await createFixture(service);
  });

  it('with two targets gets that error first, whatever else is wrong (spec 4, 7)', async () => {
    const both = { system_id: fixture.systemId, source_id: fixture.sourceId };
    for (const body of [
      both,
      { ...both, idempotency_key: 'short' },
      { ...both, idempotency_key: null, unknown: 1 },
      { system_id: 1, source_id: '' },
    ]) {
      const answer = await post('/api/v1/scans', body);
      expect(answer.json, JSON.stringify(body)).toEqual({
        error: 'Send exactly one of system_id and source_id',
        error_code: 'scan_target_ambiguous',
      });
    }
    const one = { system_id: null, source_id: fixture.sourceId, idempotency_key: randomUUID() };
    expect((await post('/api/v1/scans', one)).status).toBe(201);
  });

  it.each([
    [{ type: 'basic', username: 'u' }, [['credential.password', 'is required']]],
    [{ type: 'basic', username: 'u', password: 'p', dsn: 'x' }, [['credential.dsn', 'is not a known field']]],
    [{ type: 'header', name: 'x-key', value: '' }, [['credential.value', expect.any(String)]]],
    [{ type: 'dsn' }, [['credential.dsn', 'is required']]],
    [{ type: 'service_role', url: 'https://a.example' }, [['credential.key', 'is required']]],
    [
      { type: 'password', password: 'p' },
      [['credential.type', 'must be one of basic, header, dsn, service_role']],
    ],
    [{ username: 'u', password: 'p' }, [['credential.type', 'is required']]],
  ])(
    'with the credential %j gets errors about the fields of its type only (spec 4)',
    async (credential, problems) => {
      const answer = await post(`/api/v1/sources/${fixture.sourceId}/credential`, { credential });
      expect(answer.status).toBe(400);
      expect(answer.json.fields).toEqual(problems.map(([path, message]) => ({ path, message })));
    },
  );

  it('is not validated if the source is a draft or disconnected (spec 2, 4, 7)', async () => {
    for (const kind of ['website', 'postgres', 'mysql', 'redis', 'supabase']) {
      for (const [action, bodies] of [
        ['credential', [{ credential: { type: 'dsn' } }, {}, [], { credential: null }]],
        ['test', [{ unknown: 1 }, []]],
        ['authorize-scan', [{ unknown: 1 }, []]],
      ] as const) {
        const id = await draft(kind);
        for (const body of bodies) {
          for (const privileged of [false, true]) {
            const answer = await post(`/api/v1/sources/${id}/${action}`, body, privileged);
            expect([answer.status, answer.json.error_code], `${kind} ${action}`).toEqual([
              400,
              'source_is_draft',
            ]);
          }
        }
      }
    }
    const id = await draft();
    const key = await service.mint(fixture.organizationId);
    await call(service.url, key, 'DELETE', `/api/v1/sources/${id}`);
    const answer = await post(`/api/v1/sources/${id}/risk-accept`, { unknown: 1 });
    expect(answer.json.error_code).toBe('source_is_disconnected');
  });
});
