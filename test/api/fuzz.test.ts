import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startService, type TestService } from '../support/service.ts';
import { type ClientKey, type SignedParts, send, signRequest } from '../support/signing-client.ts';
import { createFixture, type Fixture, routes } from './routes.ts';

const runs = 300;

let service: TestService;
let fixture: Fixture;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.close());

/** Keys below the rate limits: a new organization for every 50 requests. */
let key: ClientKey;
let used = 0;
async function freshKey(): Promise<ClientKey> {
  if (used++ % 50 === 0) {
    fixture = await createFixture(service);
    key = await service.mint(fixture.organizationId);
  }
  return key;
}

/** Every response is a success, or JSON with `error` and the matching status. */
async function expectAnswered(parts: SignedParts): Promise<number> {
  const answer = await send(service.url, parts);
  expect(
    [200, 201, 202, 400, 404],
    `${parts.method} ${parts.target} ${parts.body}: ${answer.text}`,
  ).toContain(answer.status);
  if (answer.status >= 400) expect(typeof answer.json.error).toBe('string');
  return answer.status;
}

const posts = routes.filter(route => route.method === 'POST');
const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom('\u0000', '\ud800', "'", '"', '\\', '%', '/', '..', '\u202e', 'é', '💥'),
  }),
  fc.constantFrom(
    '',
    ' ',
    '__proto__',
    'constructor',
    'NaN',
    '-0',
    '9'.repeat(400),
    '2026-02-30T25:61:61Z',
    'null',
    '[object Object]',
  ),
);
const values = fc.oneof(
  hostile,
  fc.jsonValue(),
  fc.constantFrom(null, true, -1, 1e308, [], {}, [[[[[]]]]]),
  fc.uuid(),
);

it('answers any JSON, including almost valid bodies', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat(posts.length - 1),
      fc.dictionary(hostile, values, { maxKeys: 3 }),
      values,
      fc.nat(2),
      async (index, extra, value, mode) => {
        const signer = await freshKey();
        const route = posts[index]!;
        const good = route.body!(fixture) as Record<string, unknown>;
        const fields = Object.keys(good);
        const field = fields[JSON.stringify(value)?.length % fields.length];
        const body =
          mode === 0
            ? value
            : mode === 1
              ? { ...good, ...extra }
              : { ...good, ...(field ? { [field]: value } : {}) };
        await expectAnswered(signRequest(signer, 'POST', route.path(fixture), JSON.stringify(body)));
      },
    ),
    { numRuns: runs },
  );
});

it('answers events with any content', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(values, fc.dictionary(hostile, values)), { maxLength: 5 }),
      async events => {
        const signer = await freshKey();
        const batch = events.map(event =>
          typeof event === 'object' && event !== null && !Array.isArray(event)
            ? { ...event, id: randomUUID(), kind: 'fuzz', occurred_at: '2026-11-21T08:00:00Z' }
            : event,
        );
        const body = JSON.stringify({ system_id: fixture.systemId, events: batch });
        await expectAnswered(signRequest(signer, 'POST', '/functions/v1/events-ingest', body));
      },
    ),
    { numRuns: runs },
  );
});

it('answers bodies of any bytes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(posts.length - 1), fc.uint8Array({ maxLength: 200 }), async (index, bytes) => {
      const signer = await freshKey();
      const route = posts[index]!;
      await expectAnswered(signRequest(signer, 'POST', route.path(fixture), Buffer.from(bytes)));
    }),
    { numRuns: runs },
  );
  const deep = '['.repeat(100_000);
  await expectAnswered(signRequest(await freshKey(), 'POST', '/api/v1/systems', deep));
  await expectAnswered(
    signRequest(await freshKey(), 'POST', '/api/v1/systems', `{"name":${deep}${']'.repeat(100_000)}}`),
  );
});

it('answers any query', async () => {
  const names = fc.oneof(
    fc.constantFrom('limit', 'cursor', 'severity', 'status', 'category', 'system_id', 'source_id'),
    hostile,
  );
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('systems', 'sources', 'findings', 'scans'),
      fc.array(fc.tuple(names, hostile), { maxLength: 4 }),
      fc.boolean(),
      async (list, pairs, encoded) => {
        const signer = await freshKey();
        const write = (text: string) =>
          encoded ? encodeURIComponent(text.toWellFormed()) : text.replace(/[^!-~]|#/g, '');
        const query = pairs.map(([name, value]) => `${write(name)}=${write(value)}`).join('&');
        await expectAnswered(signRequest(signer, 'GET', `/api/v1/${list}?${query}`));
      },
    ),
    { numRuns: runs },
  );
});

it('answers any cursor that resembles a valid one', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.oneof(
          values,
          fc.date({ noInvalidDate: true }).map(date => date.toISOString()),
        ),
        { maxLength: 4 },
      ),
      async parts => {
        const cursor = Buffer.from(JSON.stringify(parts)).toString('base64url').slice(0, 500);
        await expectAnswered(signRequest(await freshKey(), 'GET', `/api/v1/findings?cursor=${cursor}`));
      },
    ),
    { numRuns: runs },
  );
});

it('answers any path', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('GET', 'POST', 'DELETE'),
      hostile,
      fc.boolean(),
      async (method, segment, encoded) => {
        const signer = await freshKey();
        const written = encoded
          ? encodeURIComponent(segment.toWellFormed())
          : segment.replace(/[^!-~]|[?#\\]/g, '');
        // URL parsers of clients resolve dots: only signed paths remain.
        const target = new URL(`http://x/api/v1/sources/${written}`).pathname;
        if (!target.startsWith('/api/v1/')) return;
        await expectAnswered(signRequest(signer, method, target, method === 'POST' ? '{}' : undefined));
      },
    ),
    { numRuns: runs },
  );
});

it('answers any headers, and bytes that are not HTTP', async () => {
  const { port } = new URL(service.url);
  const exchange = (bytes: Buffer) =>
    new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), '127.0.0.1', () => socket.end(bytes));
      let answer = '';
      socket.on('data', chunk => {
        answer += chunk.toString('latin1');
      });
      socket.on('close', () => resolve(answer));
      socket.on('error', error =>
        (error as NodeJS.ErrnoException).code === 'ECONNRESET' ? resolve(answer) : reject(error),
      );
    });
  const names = fc.oneof(
    fc.constantFrom(
      'authorization',
      'content-type',
      'x-service-nonce',
      'x-service-signature',
      'x-service-timestamp',
      'x-service-token-id',
      'transfer-encoding',
      'content-length',
      'expect',
      'connection',
    ),
    fc.string({ unit: 'binary', maxLength: 20 }),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(names, fc.string({ unit: 'binary', maxLength: 200 })), { maxLength: 8 }),
      async lines => {
        const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
        const request = `GET /api/v1/findings HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${head}\r\n`;
        const answer = await exchange(Buffer.from(request, 'latin1'));
        expect(answer, request).toMatch(/^(HTTP\/1\.1 (400|401|413|417|431) |$)/);
      },
    ),
    { numRuns: runs },
  );
});

it('has logged no internal failure', () => {
  expect(service.log.filter(line => JSON.parse(line).level >= 50)).toEqual([]);
});
