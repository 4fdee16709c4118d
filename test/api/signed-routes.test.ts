import { createHmac, randomBytes, verify } from 'node:crypto';
import { METHODS } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { scopes } from '../../src/contract/keys.ts';
import { limits } from '../../src/contract/limits.ts';
import { isUuid } from '../../src/contract/uuid.ts';
import { callsDuring } from '../support/function-calls.ts';
import { exchangeBytes, type RawAnswer, readAnswer, sendLines, sendRaw } from '../support/raw-http.ts';
import { startService, type TestService } from '../support/service.ts';
import {
  type ClientKey,
  type SignedParts,
  type SignOptions,
  send,
  signedValues,
  signRequest,
} from '../support/signing-client.ts';
import { createFixture, type Fixture, type Route, routes } from './routes.ts';
import { spellings } from './spellings.ts';

/** The address of a trusted proxy. Other loopback addresses are clients. */
const proxy = '127.0.0.2';
const allowedClient = '127.0.0.3';

let service: TestService;
let foreign: Fixture;
beforeAll(async () => {
  service = await startService({ trustedProxies: [proxy] });
  foreign = await createFixture(service);
});
afterAll(() => service?.close());
afterEach(() => {
  vi.useRealTimers();
});

const requiredHeaders = [
  'authorization',
  'x-service-timestamp',
  'x-service-nonce',
  'x-service-token-id',
  'x-service-signature',
];

const now = Math.floor(Date.now() / 1000);

/** Invalid header values in otherwise valid requests. */
const malformed: Record<string, readonly string[]> = {
  authorization: [
    'Basic dXNlcjpwYXNz',
    'Bearer',
    'Bearer  two-spaces',
    'Bearer töken'.normalize('NFD'),
    'svc_live_x',
  ],
  'x-service-timestamp': ['', '1e9', '-1', `${now}.0`, `0x${now.toString(16)}`, ' ', '99999999999999999999'],
  'x-service-nonce': ['short', 'a'.repeat(129), 'has space', 'has|bar|inside', 'has/slash!'],
  'x-service-token-id': ['', 'not-a-uuid', '00000000-0000-0000-0000-00000000000g'],
  'x-service-signature': ['', 'ab', 'g'.repeat(128), 'a'.repeat(127), 'a'.repeat(130)],
};

/** The signed value of each header. */
const signedIn: Readonly<Record<string, (typeof signedValues)[number]>> = {
  'x-service-timestamp': 'timestamp',
  'x-service-nonce': 'nonce',
  'x-service-token-id': 'tokenId',
};

describe.each(routes.map(route => [`${route.method} ${route.pattern}`, route] as const))(
  '%s',
  (_name, route) => {
    let fixture: Fixture;
    let key: ClientKey;
    const refusals: RawAnswer[] = [];

    beforeAll(async () => {
      fixture = await createFixture(service);
      key = await service.mint(fixture.organizationId);
    });

    /** A valid request for the route, to be altered. */
    const good = (options?: SignOptions, signer = key): SignedParts =>
      signedFor(route, fixture, signer, options);

    const expectRefused = async (parts: SignedParts, why: string, headerLines?: [string, string][]) => {
      const answer = await sendRaw(service.url, parts, headerLines ? { headerLines } : {});
      expect(answer.status, why).toBe(401);
      expect(answer.text, why).toBe('{"error":"Unauthorized"}');
      refusals.push(answer);
    };

    it('answers a valid request (spec 4, 5)', async () => {
      const answer = await send(service.url, good());
      expect(answer.status, answer.text).toBe(route.status);
    });

    it('refuses unsigned requests (spec 1, 4, 5, 6, 7, 9)', async () => {
      const parts = good();
      await expectRefused({ ...parts, headers: { 'content-type': 'application/json' } }, 'no headers at all');
      const { authorization } = parts.headers;
      await expectRefused(
        { ...parts, headers: { authorization: authorization!, 'content-type': 'application/json' } },
        'bearer only',
      );
    });

    it('refuses each header if missing or malformed (spec 5, 7, 8)', async () => {
      for (const name of requiredHeaders) {
        const parts = good();
        delete parts.headers[name];
        await expectRefused(parts, `${name} missing`);
        for (const value of malformed[name]!) {
          // The malformed value is signed, so nothing else is wrong.
          const signedAs = signedIn[name];
          const spoilt = good(signedAs ? { signInstead: { [signedAs]: value } } : {});
          spoilt.headers[name] = Buffer.from(value, 'utf8').toString('latin1');
          await expectRefused(spoilt, `${name}: ${value}`);
        }
      }
    });

    it('accepts schema 2 or none, and no other (spec 5, 9)', async () => {
      const schema = (value: string, parts = good()) => ({
        ...parts,
        headers: { ...parts.headers, 'x-service-schema': value },
      });
      expect((await send(service.url, schema('2'))).status).toBeLessThan(300);
      for (const value of ['1', '3', '02', '2.0', 'v2', '']) {
        await expectRefused(schema(value), `schema ${value}`);
      }
      await expectRefused(schema('1', good({ signInstead: { schema: '1' } })), 'schema 1, signed');
    });

    it('refuses HMAC and the schemes of other versions (spec 1, 5, 9)', async () => {
      for (const secret of [key.token, key.signing_key, key.token_id]) {
        const parts = good();
        const { 'x-service-timestamp': timestamp, 'x-service-nonce': nonce } = parts.headers;
        for (const message of [
          parts.body ?? '',
          `${timestamp}.${parts.body ?? ''}`,
          `${timestamp}|${nonce}`,
        ]) {
          const signature = createHmac('sha512', secret).update(message).digest('hex');
          await expectRefused(
            { ...parts, headers: { ...parts.headers, 'x-service-signature': signature } },
            'an HMAC with the length of a signature',
          );
        }
      }
      for (const signInstead of [{ version: 'v1' }, { schema: '1' }, { version: 'v1', schema: '1' }]) {
        await expectRefused(good({ signInstead }), JSON.stringify(signInstead));
      }
    });

    it('accepts nonces of 8 to 128 allowed characters (spec 5, 8)', async () => {
      const digits = () => randomBytes(60).toString('hex');
      for (const nonce of [
        digits().slice(0, 8),
        `.~-_${digits()}AZaz`,
        'a.~-'.concat(digits().slice(0, 4)),
      ]) {
        expect((await send(service.url, good({ nonce }))).status, nonce).toBeLessThan(300);
      }
    });

    it('signs the path without the query (spec 5)', async () => {
      const path = route.path(fixture);
      const withQuery = (options?: SignOptions) => ({ ...good(options), target: `${path}?no_such=1` });
      const answer = await send(service.url, withQuery());
      expect([answer.status, answer.json.error_code]).toEqual([400, 'invalid_query']);
      await expectRefused(withQuery({ signInstead: { pathname: `${path}?no_such=1` } }), 'the query signed');
    });

    it('refuses each signed value if tampered with (spec 1, 5, 7, 9)', async () => {
      for (const value of signedValues) {
        await expectRefused(good({ signInstead: { [value]: tampered[value] } }), `signed another ${value}`);
      }
    });

    it('refuses headers and bodies changed after signing (spec 5)', async () => {
      const later = good();
      later.headers['x-service-timestamp'] = String(Number(later.headers['x-service-timestamp']) + 1);
      await expectRefused(later, 'timestamp changed');
      const nonce = good();
      nonce.headers['x-service-nonce'] = 'another-nonce-1';
      await expectRefused(nonce, 'nonce changed');
      const path = good();
      await expectRefused({ ...path, target: `${path.target}/` }, 'path changed');
      if (route.method === 'POST') {
        const body = good();
        await expectRefused({ ...body, body: `${body.body} ` }, 'body changed');
      } else {
        await expectRefused({ ...good(), body: '{}' }, 'a body although none is signed');
        const withBody = signRequest(key, route.method, route.path(fixture), '{}');
        await expectRefused(withBody, 'a signed body of a method without one');
      }
      const method = good();
      await expectRefused({ ...method, method: route.method === 'GET' ? 'DELETE' : 'PUT' }, 'method changed');
    });

    if (route.method !== 'POST') {
      it('refuses a body even if it is signed', async () => {
        const parts = signRequest(key, route.method, route.path(fixture), '{}');
        await expectRefused(parts, 'a signed body');
      });
    }

    it('refuses the token and the token id of different keys (spec 1, 5)', async () => {
      const other = await service.mint(fixture.organizationId);
      await expectRefused(good({}, { ...key, token_id: other.token_id }), "other key's token id");
      await expectRefused(good({}, { ...key, token: other.token }), "other key's token");
      await expectRefused(good({}, { ...key, signing_key: other.signing_key }), "other key's signature");
      await expectRefused(
        good({}, { ...key, token_id: '00000000-0000-4000-8000-000000000000' }),
        'no such key',
      );
    });

    it('refuses a replayed nonce: here, on another node, and after a restart (spec 5, 7, 8)', async () => {
      const parts = good();
      expect((await send(service.url, parts)).status).toBeLessThan(300);
      await expectRefused(parts, 'the same request');
      await expectRefused(
        good({ nonce: parts.headers['x-service-nonce']! }),
        'the nonce with another signature',
      );
      const nonce = parts.headers['x-service-nonce']!;
      const twin = await service.mint(fixture.organizationId);
      expect((await send(service.url, good({ nonce }, twin))).status, 'of another key').toBeLessThan(300);
      const node = await service.addNode();
      const elsewhere = await sendRaw(node.url, parts);
      expect([elsewhere.status, elsewhere.text]).toEqual([401, '{"error":"Unauthorized"}']);
      await node.close();
    });

    it('accepts a clock that is 300 seconds off, and no more (spec 5, 7, 8)', async () => {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
      const now = Math.floor(Date.now() / 1000);
      for (const skew of [-299, -300, 299, 300]) {
        const answer = await send(service.url, good({ now: now + skew }));
        expect(answer.status, `${skew} s`).toBeLessThan(300);
      }
      for (const skew of [-301, 301]) await expectRefused(good({ now: now + skew }), `${skew} s`);
    });

    it('refuses revoked and expired keys (spec 3, 5, 7)', async () => {
      const revoked = await service.mint(fixture.organizationId);
      expect((await send(service.url, good({}, revoked))).status).toBeLessThan(300);
      const { revokeApiKey } = await import('../../src/resources/keys/api-keys.ts');
      await service.storage
        .tenant(fixture.organizationId, { kind: 'operator', id: 'test' })
        .transaction(transaction => revokeApiKey(transaction, revoked.token_id));
      await expectRefused(good({}, revoked), 'revoked');
      const expired = await service.mint(fixture.organizationId, { expiresAt: new Date(Date.now() - 1000) });
      await expectRefused(good({}, expired), 'expired');
    });

    it('refuses an address-bound key from any other address, before it spends a nonce (spec 5)', async () => {
      const allowedAddresses = [allowedClient, '203.0.113.0/24', '2001:db8::/32'];
      const bound = await service.mint(fixture.organizationId, { allowedAddresses });
      const from = (address: string, forwarded?: string, parts = good({}, bound)) =>
        sendRaw(
          service.url,
          { ...parts, headers: { ...parts.headers, ...(forwarded && { 'x-forwarded-for': forwarded }) } },
          { from: address },
        );
      for (const [address, forwarded] of allowed) {
        const answer = await from(address, forwarded);
        expect(answer.status, `${address} for ${forwarded}: ${answer.text}`).toBeLessThan(300);
      }
      for (const [address, forwarded] of notAllowed) {
        const answer = await from(address, forwarded);
        const why = `${address} for ${forwarded}`;
        expect([answer.status, answer.text], why).toEqual([401, '{"error":"Unauthorized"}']);
        refusals.push(answer);
      }
      const parts = good({}, bound);
      const answer = await from('127.0.0.1', undefined, parts);
      expect([answer.status, answer.text]).toEqual([401, '{"error":"Unauthorized"}']);
      refusals.push(answer);
      expect((await from(allowedClient, undefined, parts)).status, 'the same nonce').toBeLessThan(300);
    });

    it('answers 403 to a key without the scope, after verifying its signature (spec 4, 5, 6, 7)', async () => {
      const lacking = await service.mint(fixture.organizationId, {
        scopes: scopes.filter(scope => scope !== route.scope),
      });
      const answer = await send(service.url, good({}, lacking));
      expect([answer.status, answer.text]).toEqual([403, '{"error":"Forbidden"}']);
      const unsigned = good({ signInstead: { nonce: 'another-nonce-2' } }, lacking);
      await expectRefused(unsigned, 'no scope, and a bad signature');
    });

    it('accepts a key with only its scope (spec 4, 5)', async () => {
      const only = await service.mint(fixture.organizationId, { scopes: [route.scope] });
      expect((await send(service.url, good({}, only))).status).toBeLessThan(300);
    });

    it('refuses a key over its limit, and one of an organization over its limit (spec 5, 7, 8)', async () => {
      const { organizationId } = await createFixture(service);
      const keys = await Promise.all(Array.from({ length: 6 }, () => service.mint(organizationId)));
      const admit = (by: ClientKey, count: number) =>
        Promise.all(
          Array.from({ length: count }, (_, index) =>
            service.storage.guard.admit({ keyId: by.token_id, organizationId, nonce: `spent-${index}` }),
          ),
        );
      const [full, ...others] = keys as [ClientKey, ...ClientKey[]];
      await admit(full, limits.keyRequestsPerMinute);
      await expectRefused(good({}, full), 'the limit of the key');
      // The fixture's requests count for the organization too.
      for (const other of others.slice(1)) await admit(other, limits.keyRequestsPerMinute);
      await admit(others[0]!, limits.keyRequestsPerMinute - 1);
      await expectRefused(good({}, others[0]!), 'the limit of the organization');
    });

    if (route.namesObject) {
      it('answers 404 to an object of another organization, and to one that does not exist (spec 1, 4, 7)', async () => {
        const answer = await send(service.url, signedFor(route, foreign, key));
        expect([answer.status, answer.text]).toEqual([404, '{"error":"Not found"}']);
        const id = '00000000-0000-4000-8000-000000000000';
        const none = { ...fixture, systemId: id, sourceId: id, findingId: id, scanId: id };
        expect((await send(service.url, signedFor(route, none, key))).status).toBe(404);
      });
    }

    it('answers 413 to an oversized body before anything else (spec 7, 8)', async () => {
      const body = Buffer.alloc(limits.bodyBytes + 1, ' ');
      for (const chunked of [false, true]) {
        const parts = { ...good(), body };
        const answer = await sendRaw(service.url, parts, { chunked }).catch(tooLate);
        if (answer) expect([answer.status, answer.text]).toEqual([413, '{"error":"Payload too large"}']);
        const unsigned = await sendRaw(service.url, { ...parts, headers: {} }, { chunked }).catch(tooLate);
        if (unsigned) expect(unsigned.status).toBe(413);
      }
      if (!route.body) return;
      const padded = JSON.stringify(route.body(fixture)).padEnd(limits.bodyBytes, ' ');
      const atLimit = await send(service.url, signRequest(key, route.method, route.path(fixture), padded));
      expect(atLimit.status, 'at the limit').toBeLessThan(300);
    });

    it('refuses another media type, accepts a charset, and does not require one without a body (spec 4, 5)', async () => {
      for (const type of [
        'text/plain',
        'application/json+x',
        'application/jsonx',
        'application/x-www-form-urlencoded',
        '',
      ]) {
        const parts = good();
        parts.headers['content-type'] = type;
        await expectRefused(parts, `content type ${type}`);
      }
      const charset = good();
      charset.headers['content-type'] = 'application/json; charset=utf-8';
      expect((await send(service.url, charset)).status).toBeLessThan(300);
      if (route.method === 'POST') {
        const parts = good();
        delete parts.headers['content-type'];
        await expectRefused(parts, 'a body without media type');
      }
    });

    it('refuses repeated headers (spec 5)', async () => {
      for (const name of requiredHeaders) {
        const parts = good();
        const lines = Object.entries(parts.headers);
        await expectRefused(parts, `${name} twice`, [...lines, [name, parts.headers[name]!]]);
      }
      const parts = good();
      await expectRefused(parts, 'two media types', [
        ...Object.entries(parts.headers).filter(([name]) => name !== 'content-type'),
        ['content-type', 'application/json'],
        ['content-type', 'text/plain'],
      ]);
    });

    it('refuses uppercase hex, and a signature that is not canonical (spec 5)', async () => {
      const upper = good();
      upper.headers['x-service-signature'] = upper.headers['x-service-signature']!.toUpperCase();
      await expectRefused(upper, 'uppercase hex');
      const malleable = good();
      malleable.headers['x-service-signature'] = addGroupOrder(malleable.headers['x-service-signature']!);
      await expectRefused(malleable, 'S + L');
    });

    it('refuses every unsigned spelling of its path, with the same response (spec 5)', async () => {
      const answers = new Set<string>();
      for (const target of spellings(route.path(fixture))) {
        for (const headers of [[], ['Content-Type: text/csv;;', 'Content-Length: 2']]) {
          const lines = [`${route.method} ${target} HTTP/1.1`, 'Host: x', ...headers];
          const answer = await sendLines(service.url, lines, headers.length > 0 ? '{}' : '');
          expect([answer.status, answer.body], target).toEqual([401, '{"error":"Unauthorized"}']);
          answers.add(
            answer.head.replace(/\r\ndate: [^\r]*/i, '').replace(/(?<=\r\nx-request-id: )[^\r]*/i, ''),
          );
        }
      }
      expect([...answers]).toHaveLength(1);
    });

    it('refuses every method, version and length of unsigned requests', async () => {
      const path = route.path(fixture);
      for (const method of [...METHODS.filter(method => method !== 'CONNECT'), 'CONNECT']) {
        const { status, body } = await sendLines(service.url, [`${method} ${path} HTTP/1.1`, 'Host: x']);
        expect(status, method).toBe(401);
        expect(['', '{"error":"Unauthorized"}'], method).toContain(body);
      }
      const requests: Record<string, string[]> = {
        'an unknown method': [`FROB ${path} HTTP/1.1`, 'Host: x'],
        'a lowercase method': [`${route.method.toLowerCase()} ${path} HTTP/1.1`, 'Host: x'],
        'HTTP/1.0': [`${route.method} ${path} HTTP/1.0`],
        'no Host': [`${route.method} ${path} HTTP/1.1`],
        'two Hosts': [`${route.method} ${path} HTTP/1.1`, 'Host: x', 'Host: y'],
        'a long path': [`${route.method} ${path}/${'a'.repeat(15_000)} HTTP/1.1`, 'Host: x'],
        'a path over 16 KiB': [`${route.method} ${path}/${'a'.repeat(20_000)} HTTP/1.1`, 'Host: x'],
        'headers over 16 KiB': [`${route.method} ${path} HTTP/1.1`, 'Host: x', `X: ${'a'.repeat(20_000)}`],
        'over 200 header fields': [
          `${route.method} ${path} HTTP/1.1`,
          'Host: x',
          ...Array.from({ length: 200 }, (_, index) => `X-${index}: a`),
        ],
        'an unknown expectation': [`${route.method} ${path} HTTP/1.1`, 'Host: x', 'Expect: 200-maybe'],
        'an upgrade': [`${route.method} ${path} HTTP/1.1`, 'Host: x', 'Connection: upgrade', 'Upgrade: h2c'],
      };
      for (const [name, lines] of Object.entries(requests)) {
        const { status, body } = await sendLines(service.url, lines);
        expect([status, body], name).toEqual([401, '{"error":"Unauthorized"}']);
      }
      const head = `${route.method} ${path} HTTP/1.1\r\nHost: x\r\n`;
      const continued = await exchangeBytes(
        service.url,
        `${head}Connection: close\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n{}`,
      );
      expect(continued).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 401 /);
      const broken = await exchangeBytes(service.url, `${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n`);
      expect(readAnswer(broken).status, 'a body that is not chunked').toBe(401);
    });

    it('answers the same for any reason of a refusal (spec 5, 7)', () => {
      expect(refusals.length).toBeGreaterThan(40);
      const ids = new Set<string | undefined>();
      const shapes = refusals.map(({ rawHeaders }) => {
        const lines = rawHeaders.flatMap((name, index) =>
          index % 2 === 0 ? [[name.toLowerCase(), rawHeaders[index + 1]]] : [],
        );
        ids.add(lines.find(([name]) => name === 'x-request-id')?.[1]);
        return JSON.stringify(
          lines.map(([name, value]) => [name, name === 'date' || name === 'x-request-id' ? '' : value]),
        );
      });
      expect([...new Set(shapes)]).toHaveLength(1);
      expect(ids.size, 'the id of each request is its own').toBe(refusals.length);
      for (const id of ids) expect(isUuid(id ?? '')).toBe(true);
    });
  },
);

it('has logged nothing above info for these requests', () => {
  expect(service.log.filter(line => JSON.parse(line).level > 30)).toEqual([]);
});

it('refuses a public key of small order, for which anyone can forge a signature', async () => {
  const organizationId = await service.createOrganization();
  // The neutral element as public key and as R, with S = 0, satisfies the equation for every message.
  const neutral = Buffer.from(`01${'00'.repeat(31)}`, 'hex');
  const forged = Buffer.concat([neutral, Buffer.alloc(32)]);
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: neutral.toString('base64url') };
  expect(
    verify(null, Buffer.from('any message'), { key: jwk, format: 'jwk' }, forged),
    'node:crypto accepts it',
  ).toBe(true);
  const key = await service.mint(organizationId, { publicKey: neutral });
  const parts = signRequest(key, 'GET', '/api/v1/findings');
  parts.headers['x-service-signature'] = forged.toString('hex');
  expect((await send(service.url, parts)).status).toBe(401);
});

it('spends no limit on requests from other addresses, and does not count them as use of the key', async () => {
  const organizationId = await service.createOrganization();
  const bound = await service.mint(organizationId, { allowedAddresses: [allowedClient] });
  const request = () => signRequest(bound, 'GET', '/api/v1/findings');
  for (let count = 0; count < 61; count++) expect((await sendRaw(service.url, request())).status).toBe(401);
  const tenant = service.storage.tenant(organizationId, { kind: 'operator', id: 'test' });
  const { findApiKey } = await import('../../src/resources/keys/api-keys.ts');
  expect((await tenant.read(session => findApiKey(session, bound.token_id)))?.last_used_at).toBeNull();
  expect((await sendRaw(service.url, request(), { from: allowedClient })).status).toBe(200);
});

/** A client's address, with its `X-Forwarded-For` header. */
const allowed: readonly (readonly [string, string?])[] = [
  [allowedClient],
  [allowedClient, '198.51.100.1'],
  [proxy, '203.0.113.7'],
  [proxy, '198.51.100.1, 203.0.113.7'],
  [proxy, '::ffff:203.0.113.7'],
  [proxy, '::FFFF:cb00:7107'],
  [proxy, '2001:DB8:0:0::1%eth0'],
];
const notAllowed: readonly (readonly [string, string?])[] = [
  ['127.0.0.1'],
  ['127.0.0.1', '203.0.113.7'],
  [proxy],
  [proxy, '198.51.100.1'],
  [proxy, '203.0.113.7, 198.51.100.1'],
  [proxy, '::ffff:198.51.100.1'],
  [proxy, '2001:db9::1'],
  [proxy, '203.0.113.07'],
  [proxy, '203.0.113'],
  [proxy, '0xcb.0.113.7'],
  [proxy, '::203.0.113.7'],
  [proxy, 'unknown'],
];

const tampered: Record<(typeof signedValues)[number], string> = {
  version: 'v1',
  method: 'PATCH',
  pathname: '/api/v1/other',
  timestamp: '1700000000',
  nonce: 'another-nonce-0',
  contentType: 'text/plain',
  digest: '0'.repeat(64),
  tokenId: '00000000-0000-4000-8000-000000000000',
  schema: '1',
};

function signedFor(route: Route, fixture: Fixture, key: ClientKey, options?: SignOptions): SignedParts {
  const body = route.body && JSON.stringify(route.body(fixture));
  return signRequest(key, route.method, route.path(fixture), body, options);
}

/** The order of the base point (RFC 8032, section 5.1): S and S + L verify alike if S is not checked. */
const groupOrder = 2n ** 252n + 27742317777372353535851937790883648493n;

function addGroupOrder(signature: string): string {
  const scalar = Buffer.from(signature.slice(64), 'hex').reverse();
  const sum = (BigInt(`0x${scalar.toString('hex')}`) + groupOrder).toString(16).padStart(64, '0');
  return signature.slice(0, 64) + Buffer.from(sum, 'hex').reverse().toString('hex');
}

/** The server may close the connection before it has read a body that it refuses. */
function tooLate(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'EPIPE' && error.code !== 'ECONNRESET') throw error;
  return undefined;
}

it('does the same work for a wrong bearer token, or a wrong address, as for the right ones', async () => {
  const organizationId = await service.createOrganization();
  const key = await service.mint(organizationId);
  const other = await service.mint(organizationId);
  const here = await service.mint(organizationId, { allowedAddresses: ['127.0.0.0/8'] });
  const elsewhere = await service.mint(organizationId, { allowedAddresses: ['192.0.2.0/24'] });
  const work = async (by: ClientKey) => {
    const parts = signRequest(by, 'POST', '/api/v1/systems', 'x'.repeat(250_000));
    parts.headers['x-service-signature'] = 'a'.repeat(128);
    const refuse = async () => expect((await send(service.url, parts)).status).toBe(401);
    // The first lookup of a key takes longer.
    await refuse();
    const calls = await callsDuring(refuse);
    // The key cache refreshes its entries from time to time, for any request.
    const decides = /^(api\/(authenticate|ed25519|signed-headers)|contract\/canonical-message)\.ts /;
    return new Map([...calls].filter(([name]) => decides.test(name)).sort());
  };
  const right = await work(key);
  expect(right.get('api/ed25519.ts verifyEd25519')).toBe(1);
  expect(right.get('api/authenticate.ts sha256'), 'of the token and of the body').toBe(2);
  expect(await work({ ...key, token: other.token })).toEqual(right);
  expect(await work(elsewhere)).toEqual(await work(here));
});
