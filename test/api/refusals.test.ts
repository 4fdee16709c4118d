import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { limits } from '../../src/contract/limits.ts';
import type { RefusalReason } from '../../src/domain/refusal-reasons.ts';
import { DashboardClient } from '../support/dashboard-client.ts';
import { addPerson } from '../support/people.ts';
import { asOwner } from '../support/postgres.ts';
import { sendLines, sendRaw } from '../support/raw-http.ts';
import { startService, type TestService } from '../support/service.ts';
import {
  type ClientKey,
  type SignedParts,
  type SignOptions,
  signRequest,
} from '../support/signing-client.ts';

let service: TestService;
let organizationId: string;
let key: ClientKey;
let other: ClientKey;
const address = '127.0.0.7';

beforeAll(async () => {
  service = await startService({ trustedProxies: ['192.0.2.1'] });
  organizationId = await service.createOrganization();
  key = await service.mint(organizationId);
  other = await service.mint(organizationId);
});
afterAll(() => service?.close());

// biome-ignore lint/suspicious/noExplicitAny: lines of every event
type Line = any;
const lines = (msg: string): Line[] =>
  service.log.map(line => JSON.parse(line)).filter(line => line.msg === msg);

/** The line about the request with this answer. */
async function lineOf(rawHeaders: readonly string[]): Promise<Line> {
  const id = rawHeaders[rawHeaders.findIndex(name => name.toLowerCase() === 'x-request-id') + 1];
  const find = () => lines('request.refused').find(({ request_id }) => request_id === id);
  await expect.poll(find).toBeDefined();
  return find();
}

const good = (options?: SignOptions, by = key, target = '/api/v1/systems') =>
  signRequest(by, 'GET', target, undefined, options);
const changed = (headers: Record<string, string | undefined>, parts = good()): SignedParts => {
  const merged = { ...parts.headers, ...headers };
  return {
    ...parts,
    headers: Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined)) as Record<
      string,
      string
    >,
  };
};
const system = JSON.stringify({ name: 'A', environment: 'test', kind: 'api' });
const post = (body = system) => signRequest(key, 'POST', '/api/v1/systems', body);
const keyLine = () => ({ claimed_key: key.token_id });

/** A request with each reason that authentication has, and what the line says about it. */
const refused: Partial<Record<RefusalReason, () => Promise<readonly [SignedParts, object]>>> = {
  headers: async () => [changed({ 'x-service-nonce': 'short' }), { header: 'x-service-nonce', ...keyLine() }],
  clock: async () => [
    good({ now: Math.floor(Date.now() / 1000) - 4_000 }),
    { clock_ahead_seconds: expect.closeTo(-4_000, -1), ...keyLine() },
  ],
  key_unknown: async () => {
    const token_id = '00000000-0000-4000-8000-00000000000a';
    return [good({}, { ...key, token_id }), { claimed_key: token_id }];
  },
  body_not_allowed: async () => [{ ...good(), body: '{}' }, keyLine()],
  media_type: async () => [changed({ 'content-type': undefined }, post()), keyLine()],
  signature: async () => [good({ signInstead: { nonce: 'another-nonce-1' } }), keyLine()],
  token: async () => [good({}, { ...key, token: other.token }), keyLine()],
  address: async () => {
    const bound = await service.mint(organizationId, { allowedAddresses: ['203.0.113.0/24'] });
    return [good({}, bound), { claimed_key: bound.token_id }];
  },
  key_removed: async () => {
    const gone = await service.mint(organizationId);
    await sendRaw(service.url, good({}, gone));
    await asOwner(service.database.connection, client =>
      client.query('delete from api_keys where id = $1', [gone.token_id]),
    );
    return [good({}, gone), { claimed_key: gone.token_id }];
  },
  key_revoked: async () => {
    const revoked = await service.mint(organizationId);
    await asOwner(service.database.connection, client =>
      client.query('update api_keys set revoked_at = now() where id = $1', [revoked.token_id]),
    );
    return [good({}, revoked), { claimed_key: revoked.token_id }];
  },
  key_expired: async () => {
    const expired = await service.mint(organizationId, { expiresAt: new Date(Date.now() - 1_000) });
    return [good({}, expired), { claimed_key: expired.token_id }];
  },
  nonce_reused: async () => {
    const parts = good();
    await sendRaw(service.url, parts);
    return [parts, keyLine()];
  },
  key_limit: async () => {
    const full = await service.mint(await service.createOrganization());
    await use(full, limits.keyRequestsPerMinute);
    return [good({}, full), { claimed_key: full.token_id }];
  },
  organization_limit: async () => {
    const busy = await service.createOrganization();
    const keys = await Promise.all(Array.from({ length: 6 }, () => service.mint(busy)));
    for (const each of keys.slice(1)) await use(each, limits.keyRequestsPerMinute);
    return [good({}, keys[0]!), { claimed_key: keys[0]!.token_id }];
  },
};

async function use(by: ClientKey, count: number): Promise<void> {
  const requests = Array.from({ length: count }, () => sendRaw(service.url, good({}, by)));
  for (const { status } of await Promise.all(requests)) expect(status).toBe(200);
}

describe('the log of refused requests', () => {
  it.each(Object.entries(refused))('states that a 401 is due to: %s', async (reason, request) => {
    const [parts, fields] = await request();
    const answer = await sendRaw(service.url, parts, { from: address });
    expect([answer.status, answer.text]).toEqual([401, '{"error":"Unauthorized"}']);
    expect(await lineOf(answer.rawHeaders)).toMatchObject({
      level: 30,
      reason,
      status: 401,
      error: 'unauthorized',
      address,
      ...fields,
    });
    expect(await service.metrics.text()).toMatch(
      new RegExp(`parapet_http_refusals_total\\{status="401",reason="${reason}"\\} [1-9]`),
    );
    const log = service.log.join('');
    for (const secret of [
      key.token,
      key.signing_key,
      parts.headers['x-service-signature']!,
      parts.headers['x-service-nonce']!,
    ]) {
      expect(log).not.toContain(secret);
    }
  });

  it('states that a body ended too early, and that a request is not HTTP', async () => {
    const parts = post();
    const head = Object.entries(parts.headers).map(([name, value]) => `${name}: ${value}`);
    const { port, hostname } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    const cut = ['POST /api/v1/systems HTTP/1.1', 'Host: x', ...head, 'Content-Length: 50', '', '{'];
    socket.end(cut.join('\r\n'));
    await expect
      .poll(() => lines('request.refused').find(({ reason }) => reason === 'body_incomplete'))
      .toMatchObject({ ...keyLine(), error: 'unauthorized' });
    const many = Array.from({ length: 201 }, (_, index) => `X-${index}: a`);
    const { head: answered } = await sendLines(service.url, [
      'GET /api/v1/systems HTTP/1.1',
      'Host: x',
      ...many,
    ]);
    const id = /x-request-id: (\S+)/i.exec(answered)![1]!;
    expect(await lineOf(['x-request-id', id])).toMatchObject({ status: 401, reason: 'malformed' });
    const unsigned = await sendLines(service.url, ['GET / HTTP/1.1', 'Host: x', `X: ${'a'.repeat(20_000)}`]);
    const second = /x-request-id: (\S+)/i.exec(unsigned.head)![1]!;
    expect(await lineOf(['x-request-id', second])).toMatchObject({
      status: 431,
      reason: 'headers_too_large',
    });
  });

  it('names no key that is malformed, and no header that the client made up', async () => {
    const odd = 'x-service-a-secret-in-a-name';
    const answer = await sendRaw(service.url, changed({ 'x-service-token-id': 'a-secret-id' }));
    expect(await lineOf(answer.rawHeaders)).toMatchObject({
      reason: 'headers',
      header: 'x-service-token-id',
    });
    const parts = good();
    const twice = await sendRaw(service.url, parts, {
      headerLines: [[odd, '1'], [odd, '2'], ...Object.entries(parts.headers)],
    });
    expect(await lineOf(twice.rawHeaders)).toMatchObject({ reason: 'headers', header: 'x-service-*' });
    expect(service.log.join('')).not.toMatch(/a-secret/);
  });

  it('names the scope that a key lacks, and the fields that are wrong, without their values', async () => {
    const reading = await service.mint(organizationId, { scopes: ['findings:read'] });
    const forbidden = await sendRaw(service.url, signRequest(reading, 'POST', '/api/v1/systems', system));
    expect(await lineOf(forbidden.rawHeaders)).toMatchObject({
      status: 403,
      reason: 'scope',
      scope: 'sources:write',
      key: reading.token_id,
      organization_id: organizationId,
    });
    const secret = 'hunter2-value';
    const body = JSON.stringify({
      name: 7,
      environment: secret,
      kind: 'api',
      [`${secret}-name`.replaceAll('-', '_')]: 1,
    });
    const invalid = await sendRaw(service.url, post(body));
    const line = await lineOf(invalid.rawHeaders);
    expect(line).toMatchObject({ status: 400, reason: 'invalid_body', key: key.token_id });
    expect(line.fields.toSorted()).toEqual(['*', 'environment', 'name']);
    expect(service.log.join('')).not.toMatch(/hunter2/);
  });

  it('states why the dashboard refuses a sign-in, a request without a session and one from another site', async () => {
    const person = await addPerson(service, organizationId, 'member', { secondFactor: false });
    const browser = new DashboardClient(service.url);
    const reasonOf = async ({ headers }: { headers: Headers }) =>
      (await lineOf(['x-request-id', headers.get('x-request-id')!])).reason;
    const signIn = (email: string, password: string) => browser.post('/sign-in', { email, password });
    expect(await reasonOf(await signIn('nobody@example.org', 'a wrong password'))).toBe('account_unknown');
    expect(await reasonOf(await signIn(person.email, 'a wrong password'))).toBe('password');
    expect(await reasonOf(await browser.get('/account/security'))).toBe('no_session');
    const cookie = 'parapet_session=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';
    expect(await reasonOf(await browser.get('/account/security', { cookie }))).toBe('session_ended');
    const path = `/organizations/${organizationId}`;
    expect(await reasonOf(await person.client.get(`${path}/keys`))).toBe('role');
    const foreign = await person.client.post(`${path}/systems`, {}, { origin: 'https://elsewhere.example' });
    expect(await reasonOf(foreign)).toBe('cross_site_request');
    expect(service.log.join('')).not.toMatch(/a wrong password|nobody@example/);
  });

  it('is limited for each reason, and counts what it leaves out', async () => {
    const before = lines('request.refused').length;
    const flood = Array.from({ length: 200 }, () =>
      sendRaw(service.url, { ...good(), headers: {}, target: '/api/v1/flood' }),
    );
    await Promise.all(flood);
    const answer = await sendRaw(service.url, good({ signInstead: { nonce: 'another-nonce-2' } }));
    expect(await lineOf(answer.rawHeaders), 'another reason').toMatchObject({ reason: 'signature' });
    const written = lines('request.refused')
      .slice(before)
      .filter(({ reason }) => reason === 'headers');
    expect(written.length).toBeLessThan(100);
    expect(lines('request').filter(({ status }) => status === 401)).toEqual([]);
    await expect.poll(() => lines('refusals.suppressed'), { timeout: 15_000 }).toHaveLength(1);
    const [{ reasons }] = lines('refusals.suppressed');
    const all = lines('request.refused')
      .slice(before)
      .filter(({ reason }) => reason === 'headers').length;
    expect(reasons.headers + all).toBe(200);
  }, 30_000);
});
