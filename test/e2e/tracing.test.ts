import { randomBytes, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { poll } from '../support/poll.ts';
import { startService, type TestService } from '../support/service.ts';
import { ServingProcess } from '../support/serving-process.ts';
import { type ClientKey, call, send, signRequest } from '../support/signing-client.ts';
import { httpServer, type TestServer } from '../support/website.ts';

interface SentSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: readonly { key: string; value: { stringValue?: string; intValue?: number } }[];
}

interface Sent {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: SentSpan['attributes'] };
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[];
  }[];
}

const spans: SentSpan[] = [];
const services = new Set<string>();
const bodies: string[] = [];
let collector: Server;
let service: TestService;
let site: TestServer;
let serving: ServingProcess;
let key: ClientKey;

const loader = fileURLToPath(new URL('../support/loaded-modules.mjs', import.meta.url));
const start = (env: Record<string, string> = {}) =>
  ServingProcess.serve(
    {
      DATABASE_URL: service.database.url,
      PARAPET_MASTER_KEY: randomBytes(32).toString('base64'),
      PARAPET_TARGET_ALLOWLIST: '127.0.0.0/8',
      PARAPET_MANAGEMENT_PORT: '0',
      NODE_OPTIONS: `--import ${loader}`,
      ...env,
    },
    ['--processes', '2'],
  );

beforeAll(async () => {
  collector = createServer(async (request, response) => {
    const { resourceSpans } = (await json(request)) as Sent;
    bodies.push(JSON.stringify(resourceSpans));
    for (const { resource, scopeSpans } of resourceSpans) {
      services.add(resource.attributes.find(each => each.key === 'service.name')!.value.stringValue!);
      spans.push(...scopeSpans.flatMap(scope => scope.spans));
    }
    response.setHeader('content-type', 'application/json').end('{}');
  });
  await new Promise<void>(resolve => collector.listen(0, '127.0.0.1', resolve));
  service = await startService();
  site = await httpServer((_request, response) => void response.end('<p>Hello</p>'));
  key = await service.mint(await service.createOrganization());
  serving = await start({
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
    OTEL_SERVICE_NAME: 'parapet-of-the-test',
    OTEL_BSP_SCHEDULE_DELAY: '100',
  });
}, 120_000);
afterAll(async () => {
  await serving?.kill('SIGTERM');
  collector?.close();
  await site?.close();
  await service?.close();
});

const attribute = (span: SentSpan, name: string) => {
  const value = span.attributes.find(each => each.key === name)?.value;
  return value?.stringValue ?? value?.intValue;
};

const childrenOf = (parent: SentSpan) =>
  spans.filter(({ traceId, parentSpanId }) => traceId === parent.traceId && parentSpanId === parent.spanId);

/** The span of the request with this id. */
const requestSpan = (id: string) =>
  poll('the request', () => spans.find(span => attribute(span, 'parapet.request_id') === id));

const onlyChild = (parent: SentSpan, name: string) =>
  poll(name, () => childrenOf(parent).find(child => child.name === name));

it('is one trace from the request of a scan to its runs, across processes and without secrets', async () => {
  const post = async (path: string, body: object) => (await call(serving.url, key, 'POST', path, body)).json;
  const { system } = await post('/api/v1/systems', { name: 'S', environment: 'test', kind: 'site' });
  const host = `127.0.0.1:${site.port}`;
  const { source } = await post('/api/v1/sources', {
    system_id: system.id,
    name: 'W',
    kind: 'website',
    host,
  });
  await post(`/api/v1/sources/${source.id}/risk-accept`, {});
  await post(`/api/v1/sources/${source.id}/authorize-scan`, {});

  const of = async (target: object) => {
    const body = JSON.stringify({ ...target, idempotency_key: randomUUID() });
    const parts = signRequest(key, 'POST', '/api/v1/scans', body);
    const answer = await send(serving.url, parts);
    expect(answer.status, answer.text).toBe(201);
    return [await requestSpan(answer.headers.get('x-request-id')!), parts] as const;
  };
  const [single, parts] = await of({ source_id: source.id });
  expect(single.name).toBe('POST /api/v1/scans');
  expect(attribute(single, 'http.route')).toBe('/api/v1/scans');
  expect(Number(attribute(single, 'http.response.status_code'))).toBe(201);
  expect(single.parentSpanId ?? '').toBe('');
  const inspected = await onlyChild(single, 'scan-inspect');
  await onlyChild(inspected, 'run website.headers');
  expect(new Set(childrenOf(inspected).map(({ traceId }) => traceId))).toEqual(new Set([single.traceId]));

  const [wide] = await of({ system_id: system.id });
  expect(wide.traceId).not.toBe(single.traceId);
  const planned = await onlyChild(wide, 'scan-plan');
  await onlyChild(await onlyChild(planned, 'scan-inspect'), 'run website.headers');

  const listed = signRequest(key, 'GET', '/api/v1/findings?category=a-text-of-a-query');
  listed.headers.traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
  const answer = await send(serving.url, listed);
  const span = await requestSpan(answer.headers.get('x-request-id')!);
  expect(span.traceId, 'not of the client').not.toBe('a'.repeat(32));
  expect(services).toEqual(new Set(['parapet-of-the-test']));
  const sent = bodies.join('');
  for (const secret of [
    key.token,
    key.signing_key,
    parts.headers['x-service-signature']!,
    'a-text-of-a-query',
    host,
  ])
    expect(sent).not.toContain(secret);
}, 120_000);

it('loads OpenTelemetry only if the environment names a collector', async () => {
  const folder = new URL('../../dist/main/', import.meta.url);
  const files = (await readdir(folder)).filter(name => name.endsWith('.js'));
  const parts = await Promise.all(
    files.map(async name => ({ name, text: await readFile(new URL(name, folder), 'utf8') })),
  );
  const having = parts
    .filter(({ text }) => text.includes('OTEL_EXPORTER_OTLP_TIMEOUT'))
    .map(({ name }) => name);
  expect(having.length).toBeGreaterThan(0);
  const loaded = (process: ServingProcess) =>
    having.filter(name => process.log.some(line => line.startsWith('loaded ') && line.endsWith(`/${name}`)));
  await poll('the modules of the service with traces', () => loaded(serving).length > 0);
  const plain = await start();
  expect((await call(plain.url, key, 'GET', '/api/v1/systems')).status).toBe(200);
  expect(plain.log.some(line => line.startsWith('loaded ') && line.endsWith('/parapet.js'))).toBe(true);
  expect(loaded(plain)).toEqual([]);
  await plain.kill('SIGTERM');
}, 120_000);
