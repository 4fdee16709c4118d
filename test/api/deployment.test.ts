import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type TestService } from '../support/service.ts';
import { type ClientKey, call, send, signRequest } from '../support/signing-client.ts';
import { createFixture, type Fixture } from './routes.ts';

describe('behind a proxy that serves it under a prefix', () => {
  let service: TestService;
  let fixture: Fixture;
  beforeAll(async () => {
    service = await startService({ publicPrefix: '/tools/parapet' });
    fixture = await createFixture(service);
  });
  afterAll(() => service?.close());

  const event = {
    id: '7b1c2a52-4b0a-4f0e-9a6b-0d8f8f6a1c11',
    kind: 'probe.started',
    occurred_at: '2026-11-21T08:00:00Z',
  };

  it('signs the constant /functions/v1/<function>, for any URL of the request (spec 5)', async () => {
    const path = '/functions/v1/events-ingest';
    for (const [index, target] of [path, `/tools/parapet${path}`].entries()) {
      const body = JSON.stringify({ system_id: fixture.systemId, events: [event] });
      const parts = { ...signRequest(fixture.key, 'POST', path, body), target };
      const answer = await send(service.url, parts);
      expect([answer.status, answer.json.duplicates], target).toEqual([202, index]);
    }
    const signedWithPrefix = signRequest(fixture.key, 'POST', `/tools/parapet${path}`, '{}');
    expect((await send(service.url, signedWithPrefix)).status).toBe(401);
  });

  it('signs the path from /api/v1 on for other routes, with the query', async () => {
    const parts = signRequest(fixture.key, 'GET', '/api/v1/systems?limit=1');
    const answer = await send(service.url, { ...parts, target: '/tools/parapet/api/v1/systems?limit=1' });
    expect(answer.json.systems).toHaveLength(1);
  });

  it('removes the prefix once, as whole path segments', async () => {
    for (const target of [
      '/tools/parapetx/api/v1/systems',
      '/tools/parapet/tools/parapet/api/v1/systems',
      '/tools/api/v1/systems',
    ]) {
      const parts = signRequest(fixture.key, 'GET', '/api/v1/systems');
      expect((await send(service.url, { ...parts, target })).status, target).toBe(404);
    }
    expect((await fetch(`${service.url}/tools/parapet/healthz`)).status).toBe(200);
  });

  it('accepts an absolute URL as request target', async () => {
    const { headers } = signRequest(fixture.key, 'GET', '/api/v1/systems');
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const request = `GET http://parapet.example/api/v1/systems HTTP/1.1\r\nhost: parapet.example\r\nconnection: close\r\n${lines.join('')}\r\n`;
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(new URL(service.url).port), '127.0.0.1', () => socket.write(request));
      let text = '';
      socket.on('data', chunk => {
        text += chunk;
      });
      socket.on('close', () => resolve(text));
      socket.on('error', reject);
    });
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  });
});

it('names its headers after its brand', async () => {
  const service = await startService({ brand: 'acme' });
  try {
    const key: ClientKey = await service.mint(await service.createOrganization());
    const parts = signRequest(key, 'GET', '/api/v1/systems');
    expect((await send(service.url, parts)).status).toBe(401);
    const branded = Object.entries(signRequest(key, 'GET', '/api/v1/systems').headers).map(
      ([name, value]) => [name.replace('x-service-', 'x-acme-'), value],
    );
    expect((await send(service.url, { ...parts, headers: Object.fromEntries(branded) })).status).toBe(200);
  } finally {
    await service.close();
  }
});

describe('for its operator', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service?.close());

  it('reports liveness and readiness', async () => {
    for (const path of ['/healthz', '/readyz'])
      expect((await fetch(service.url + path)).status, path).toBe(200);
  });

  it('counts requests by route, without labels that a client can invent', async () => {
    const key = await service.mint(await service.createOrganization());
    await call(service.url, key, 'GET', '/api/v1/systems?limit=1');
    await call(service.url, key, 'GET', '/api/v1/made-up-by-a-client');
    const metrics = await service.metrics.text();
    expect(metrics).toMatch(
      /parapet_http_requests_total\{method="GET",route="\/api\/v1\/systems",status="200"\} 1/,
    );
    expect(metrics).toMatch(/parapet_http_requests_total\{method="GET",route="unknown",status="404"\} 1/);
    expect(metrics).not.toContain('made-up');
    expect((await fetch(`${service.url}/metrics`)).status, 'on the public port').toBe(404);
  });

  it('reports 503 without its database, and 500 to clients, without the reason (spec 7)', async () => {
    const key = await service.mint(await service.createOrganization());
    await call(service.url, key, 'GET', '/api/v1/systems');
    await service.storage.close(0);
    expect((await fetch(`${service.url}/readyz`)).status).toBe(503);
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
    const answer = await call(service.url, key, 'GET', '/api/v1/systems');
    expect([answer.status, answer.text]).toEqual([500, '{"error":"Request failed"}']);
  });
});
