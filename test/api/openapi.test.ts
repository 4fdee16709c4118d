import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { RE2JS } from 're2js';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { limits } from '../../src/contract/limits.ts';
import { isUuid } from '../../src/contract/uuid.ts';
import { startService, type TestService } from '../support/service.ts';
import { type Answer, type ClientKey, send, signRequest } from '../support/signing-client.ts';
import { createFixture, type Fixture, type Route, routes } from './routes.ts';

interface Operation {
  requestBody?: { required?: boolean; content: Record<string, { schema: object }> };
  description: string;
  responses: Record<string, { content?: Record<string, { schema: object }>; headers?: object }>;
  security: object[];
  parameters: { name: string; in: string }[];
}

let service: TestService;
let fixture: Fixture;
let foreign: Fixture;
let document: {
  openapi: string;
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
};
beforeAll(async () => {
  service = await startService();
  fixture = await createFixture(service);
  foreign = await createFixture(service);
  document = (await (await fetch(`${service.url}/docs/openapi.json`)).json()) as typeof document;
});
afterAll(() => service?.close());

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
const compiled = new Map<object, ValidateFunction>();

const operationOf = (route: Route) =>
  document.paths[route.pattern.replace(':id', '{id}')]![route.method.toLowerCase()]!;

/** Fails if the document does not describe this response of the route. */
function expectDescribed(route: Route, answer: Answer): void {
  const described = operationOf(route).responses[String(answer.status)];
  expect(described, `${route.method} ${route.pattern} ${answer.status} is described`).toBeDefined();
  const schema = described!.content!['application/json']!.schema;
  if (!compiled.has(schema)) compiled.set(schema, ajv.compile(schema));
  const validate = compiled.get(schema)!;
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
  expect(described!.headers).toHaveProperty('X-Request-Id');
  expect(isUuid(answer.headers.get('x-request-id') ?? '')).toBe(true);
  expect(validate(answer.json), `${answer.text} ${JSON.stringify(validate.errors)}`).toBe(true);
}

it('is serialized once, however often it is read', async () => {
  const serialized = vi.spyOn(JSON, 'stringify');
  const answers = ['/docs/openapi.json', '/docs/json', '/docs/openapi.json'].map(path =>
    fetch(service.url + path),
  );
  for (const answer of await Promise.all(answers)) expect(await answer.json()).toEqual(document);
  const again = serialized.mock.calls.filter(([value]) => value?.openapi !== undefined);
  serialized.mockRestore();
  expect(again).toEqual([]);
});

it('describes exactly the sixteen routes (spec 1, 4, 6, 9)', () => {
  expect(document.openapi).toBe('3.1.0');
  expect(document).not.toHaveProperty('webhooks');
  expect(JSON.stringify(document.paths)).not.toContain('"callbacks"');
  const described = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map(method => `${method.toUpperCase()} ${path.replace('{id}', ':id')}`),
  );
  const expected = routes.map(route => `${route.method} ${route.pattern}`);
  expect(described.filter(name => !name.startsWith('HEAD ')).sort()).toEqual([...expected].sort());
  for (const operations of Object.values(document.paths)) {
    for (const operation of Object.values(operations)) {
      expect(operation.security).toEqual([{ bearer: [], signature: [] }]);
      expect(operation.parameters.map(parameter => parameter.name)).toContain('x-service-nonce');
    }
  }
});

describe.each(routes.map(route => [`${route.method} ${route.pattern}`, route] as const))(
  '%s',
  (_name, route) => {
    const ask = (body: string | undefined, on = fixture, signer?: ClientKey, target = route.path(on)) =>
      send(service.url, signRequest(signer ?? fixture.key, route.method, target, body));

    it('matches the actual responses, errors included (spec 1, 2, 4, 7)', async () => {
      fixture = await createFixture(service);
      const key = await service.mint(fixture.organizationId);
      const body = () => (route.body ? JSON.stringify(route.body(fixture)) : undefined);
      const answers: [number, Answer][] = [
        [route.status, await ask(body(), fixture, key)],
        [401, await ask(body(), fixture, { ...key, token: 'svc_live_x' })],
        [403, await ask(body(), fixture, await service.mint(fixture.organizationId, { scopes: [] }))],
      ];
      if (route.method === 'POST') {
        answers.push([400, await ask('[]', fixture, key)]);
        answers.push([400, await ask('{"no":', fixture, key)]);
        answers.push([400, await ask('{"unknown_field":1}', fixture, key)]);
        answers.push([413, await ask(' '.repeat(limits.bodyBytes + 1), fixture, key)]);
      }
      if (route.method === 'GET' && !route.pattern.includes(':id')) {
        answers.push([400, await ask(undefined, fixture, key, `${route.pattern}?bogus=1`)]);
      }
      if (route.body) {
        const validate = ajv.compile(operationOf(route).requestBody!.content['application/json']!.schema);
        expect(validate(route.body(fixture)), JSON.stringify(validate.errors)).toBe(true);
        expect(validate({ ...route.body(fixture), unknown_field: 1 })).toBe(false);
      }
      if (route.namesObject) {
        const theirs = route.body && JSON.stringify(route.body(foreign));
        answers.push([404, await ask(theirs, foreign, key)]);
      }
      for (const [status, answer] of answers) {
        expect(answer.status, answer.text).toBe(status);
        expectDescribed(route, answer);
      }
    });
  },
);

it('describes conditional reads (spec 4)', () => {
  for (const route of routes) {
    const { parameters, responses } = operationOf(route);
    const isRead = route.method === 'GET';
    expect(parameters.some(({ name }) => name === 'if-none-match')).toBe(isRead);
    const tags = ['200', '304'].map(status =>
      Object.keys(responses[status]?.headers ?? {}).filter(name => name === 'ETag'),
    );
    expect(tags, route.pattern).toEqual(isRead ? [['ETag'], ['ETag']] : [[], []]);
  }
});

it('marks optional bodies, and the service accepts exactly those empty', async () => {
  const on = await createFixture(service);
  for (const route of routes.filter(({ body }) => body)) {
    const isOptional = operationOf(route).requestBody!.required === false;
    const key = await service.mint(on.organizationId);
    const answer = await send(service.url, signRequest(key, 'POST', route.path(on), ''));
    expect(answer.status === route.status, `${route.pattern} ${answer.status}`).toBe(isOptional);
  }
});

it('names the scope of every route, the additional one of privileged kinds, and the fields of an event (spec 5)', () => {
  for (const route of routes) expect(operationOf(route).description).toContain(`\`${route.scope}\``);
  const privileged = routes.filter(route => operationOf(route).description.includes('sources:privileged'));
  expect(privileged.map(({ pattern }) => pattern)).toEqual(['/api/v1/sources/:id/credential']);
  for (const route of routes.filter(({ scope }) => scope === 'ingest')) {
    const validate = ajv.compile(operationOf(route).requestBody!.content['application/json']!.schema);
    expect(validate({ events: [{ id: randomUUID(), kind: 'probe.started' }] })).toBe(false);
    expect(validate({ events: [{ id: 'x', kind: 'Not A Kind', occurred_at: 'yesterday' }] })).toBe(false);
  }
});

it('has patterns that compile in RE2, which generated clients use', () => {
  const patterns = new Set<string>();
  JSON.stringify(document, (name, value) => {
    if (name === 'pattern' && typeof value === 'string') patterns.add(value);
    return value;
  });
  expect(patterns.size).toBeGreaterThan(5);
  for (const pattern of patterns) expect(() => RE2JS.compile(pattern), pattern).not.toThrow();
  expect(() => RE2JS.compile('^[^\\u0000\\ud800-\\udfff]*$'), 'RE2 has no surrogates').toThrow();
});

it('names the public URL of the service, or else the path at which it is served', async () => {
  expect(document.servers.map(({ url }) => url)).toEqual(['/']);
  for (const [options, url] of [
    [{ publicUrl: 'https://parapet.example/tools' }, 'https://parapet.example/tools'],
    [{ publicPrefix: '/tools/parapet' }, '/tools/parapet'],
  ] as const) {
    const other = await startService(options);
    const { servers } = (await (await fetch(`${other.url}/docs/openapi.json`)).json()) as typeof document;
    await other.close();
    expect(servers.map(server => server.url)).toEqual([url]);
  }
});

it('passes a linter without findings', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parapet-openapi-'));
  const file = join(folder, 'openapi.json');
  await writeFile(file, JSON.stringify(document));
  const linter = fileURLToPath(new URL('../../node_modules/.bin/redocly', import.meta.url));
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const options = ['lint', file, '--extends', 'recommended', '--format', 'json'];
  const { stdout } = await promisify(execFile)(linter, options, { env, cwd: folder }).catch(error => error);
  const { totals, problems } = JSON.parse(stdout);
  const told = problems.map((problem: { ruleId: string; message: string; location: { pointer: string }[] }) =>
    [problem.ruleId, problem.message, problem.location[0]?.pointer].join(' | '),
  );
  expect({ ...totals, told }).toEqual({ errors: 0, warnings: 0, ignored: 0, told: [] });
  await rm(folder, { recursive: true });
});

it('is served with a page to read it, which loads nothing from other origins', async () => {
  const page = await fetch(`${service.url}/docs`);
  const html = await page.text();
  expect(page.status).toBe(200);
  expect(page.headers.get('content-security-policy')).toContain("default-src 'self'");
  const loaded = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(match => match[1]!);
  expect(loaded.length).toBeGreaterThan(2);
  for (const address of loaded) {
    const asset = await fetch(new URL(address, `${service.url}/docs/`));
    await asset.arrayBuffer();
    expect([new URL(asset.url).origin, asset.status], address).toEqual([service.url, 200]);
  }
});

it('has Retry-After on the 500 response of every route', () => {
  const operations = Object.values(document.paths).flatMap(methods => Object.values(methods));
  expect(operations.length).toBeGreaterThan(10);
  for (const { responses } of operations) {
    expect(responses['500']?.headers).toMatchObject({ 'Retry-After': { schema: { type: 'integer' } } });
  }
});
