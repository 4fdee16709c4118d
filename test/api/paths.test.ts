import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildServer } from '../../src/api/server.ts';
import { sendLines } from '../support/raw-http.ts';
import { startService, type TestService } from '../support/service.ts';
import { type SignedParts, signRequest } from '../support/signing-client.ts';
import { createFixture, type Fixture } from './routes.ts';
import { spellings } from './spellings.ts';

const prefix = '/tools/parapet';
const ingest = '/functions/v1/events-ingest';

describe('behind a proxy that serves it under a prefix', () => {
  let service: TestService;
  let fixture: Fixture;
  beforeAll(async () => {
    service = await startService({ publicPrefix: prefix });
    fixture = await createFixture(service);
  });
  afterAll(() => service?.close());

  /** Sends a request that was signed for one path to another, without normalizing it. */
  const sendTo = (target: string, { method, headers, body }: SignedParts) =>
    sendLines(
      service.url,
      [
        `${method} ${target} HTTP/1.1`,
        'Host: x',
        ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
        ...(body === undefined ? [] : [`Content-Length: ${body.length}`]),
      ],
      body as string | undefined,
    );
  const batch = () =>
    JSON.stringify({
      system_id: fixture.systemId,
      events: [{ id: randomUUID(), kind: 'probe.started', occurred_at: '2026-11-21T08:00:00Z' }],
    });

  it('verifies the constant of the ingest function, for any spelling of its URL (spec 5)', async () => {
    for (const target of [
      ingest,
      `${prefix}${ingest}`,
      `${prefix}/${ingest}`,
      '/functions/v1/%65vents-ingest',
      '/%66unctions//v1/events-ingest',
      `http://gateway.example${prefix}${ingest}`,
    ]) {
      const answer = await sendTo(target, signRequest(fixture.key, 'POST', ingest, batch()));
      expect([answer.status, target], answer.body).toEqual([202, target]);
      const asSent = signRequest(fixture.key, 'POST', target.split('?')[0]!, batch());
      if (target !== ingest) expect((await sendTo(target, asSent)).status, target).toBe(401);
    }
    const withQuery = await sendTo(`${ingest}?region=eu`, signRequest(fixture.key, 'POST', ingest, batch()));
    expect([withQuery.status, JSON.parse(withQuery.body).error_code]).toEqual([400, 'invalid_query']);
  });

  it('does not decode a long path, and refuses it as unsigned', async () => {
    const status = async (target: string) =>
      (await sendLines(service.url, [`GET ${target} HTTP/1.1`, 'Host: x'])).status;
    expect(await status(`/${'a/'.repeat(7_000)}`)).toBe(404);
    expect(await status(`/${'%25/'.repeat(500)}`)).toBe(404);
    expect(await status(`/${'%25/'.repeat(513)}`)).toBe(401);
  });

  it('serves no URL below another prefix (spec 5)', async () => {
    for (const target of [`/some/gateway${ingest}`, `/tools${ingest}`, `${prefix}${prefix}${ingest}`]) {
      const answer = await sendTo(target, signRequest(fixture.key, 'POST', ingest, batch()));
      expect([answer.status, answer.body], target).toEqual([404, '{"error":"Not found"}']);
    }
  });

  it('verifies the path as sent, without the prefix, on the other routes (spec 5)', async () => {
    const path = '/api/v1/systems';
    for (const sent of [path, '/%61pi/v1/systems', '/api//v1/systems', '/api/v1/system%73']) {
      const good = await sendTo(`${prefix}${sent}`, signRequest(fixture.key, 'GET', sent));
      expect(good.status, sent).toBe(200);
      if (sent === path) continue;
      expect((await sendTo(`${prefix}${sent}`, signRequest(fixture.key, 'GET', path))).status, sent).toBe(
        401,
      );
    }
  });

  it('answers every spelling below the prefix, and of the prefix, with 401 (spec 5)', async () => {
    const targets = [
      ...spellings('/api/v1/findings')
        .filter(path => /^[/](?![/]parapet)/.test(path))
        .map(path => `${prefix}${path}`),
      `/%74ools/parapet${ingest}`,
      `/TOOLS/parapet${ingest}`,
      `//tools//parapet/${ingest}`,
      `/tools%2Fparapet${ingest}`,
      `/x/../tools/parapet${ingest}`,
      `/tools;v=1/parapet${ingest}`,
      `/docs/static/../..${ingest}`,
    ];
    for (const target of targets) {
      const answer = await sendLines(service.url, [`POST ${target} HTTP/1.1`, 'Host: x']);
      expect([answer.status, answer.body], target).toEqual([401, '{"error":"Unauthorized"}']);
    }
  });

  it('answers 404 to paths that are not a spelling of a signed path (spec 1, 9)', async () => {
    for (const target of [
      '/api',
      '/api/v2/systems',
      '/api/v10',
      '/apiv1',
      '/xapi/v1',
      '/functions',
      '/x/api/v1',
    ]) {
      const answer = await sendLines(service.url, [`GET ${target} HTTP/1.1`, 'Host: x']);
      expect([answer.status, answer.body], target).toEqual([404, '{"error":"Not found"}']);
    }
  });
});

it('does not start with a route on the wrong side (spec 1)', async () => {
  for (const path of [
    '/api/v1/open',
    '/functions/v1/open',
    '//api/v1/open',
    '/API/v1/open',
    '/api/open',
    '/:any/v1',
    '/*',
    '/a*',
  ]) {
    const started = buildServer({
      // Not used before it listens.
      services: { storage: {} } as never,
      logger: pino({ level: 'silent' }),
      brand: 'service',
      publicPrefix: '',
      publicUrl: undefined,
      version: '0.0.0',
      trustedProxies: [],
      guides: { detectors: [], userAgent: 'test' },
      add: async app => void app.get(path, async () => 'open'),
    });
    await expect(
      started.then(() => 'started'),
      path,
    ).rejects.toThrow(/is an unsigned route with a signed path/);
  }
});
