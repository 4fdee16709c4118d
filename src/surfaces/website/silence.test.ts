import net from 'node:net';
import { expect, it } from 'vitest';
import { authority, collect, type Handler, running } from '../../../test/support/collecting.ts';
import { liveScan } from '../../../test/support/live-scan.ts';
import { rawServer, twoProtocolServer } from '../../../test/support/website.ts';
import { detectorsFor } from '../../detectors/catalogue.ts';
import { createTargetGuard } from '../connection/target-guard.ts';
import { defaultLimits } from './budget.ts';

/** Servers that go silent during a scan: it waits for one answer until the timeout, and continues with the others. */

const site: Handler = (request, response) => {
  response.setHeader('x-powered-by', 'PHP/5.6.40');
  if (request.url === '/.env') {
    return response.setHeader('content-type', 'text/plain').end('DB_PASSWORD=hunter2hunter2\n');
  }
  if (request.url !== '/') return response.writeHead(404).end('<p>Not here');
  return response.setHeader('content-type', 'text/html').end('<!doctype html><script src="/a.js"></script>');
};

const limits = { ...defaultLimits, totalMs: 20_000, requestMs: 2_500 };

interface Silence {
  /** The connection that goes silent, counted from 1, and whether later ones do as well. */
  readonly at: number;
  readonly andLater?: boolean;
  /** After this many bytes from the server. */
  readonly after: number;
}

/** Scans a site through a relay that goes silent. */
async function scan(port: number, depth: 'safe' | 'full', silence?: Silence, totalMs = limits.totalMs) {
  let connections = 0;
  const way = await running(
    rawServer(socket => {
      connections += 1;
      const at = silence?.at ?? Number.POSITIVE_INFINITY;
      const isSilent = silence?.andLater ? connections >= at : connections === at;
      let left = isSilent ? silence!.after : Number.POSITIVE_INFINITY;
      const upstream = net.connect(port, '127.0.0.1');
      upstream.on('data', data => {
        if (left > 0) socket.write(data.subarray(0, left));
        left -= data.length;
      });
      // A silent connection is not closed either.
      upstream.on('close', () => !isSilent && socket.destroy()).on('error', () => {});
      socket.on('close', () => upstream.destroy()).pipe(upstream);
    }),
  );
  const started = performance.now();
  const capture = await collect(`127.0.0.1:${way.port}`, { limits: { ...limits, totalMs }, depth });
  const milliseconds = performance.now() - started;
  const { observations, notAssessed } = liveScan(detectorsFor('website'), capture);
  return {
    connections,
    milliseconds,
    seen: new Set(observations.map(({ check }) => check)),
    missed: new Set(notAssessed.map(({ check }) => check)),
  };
}

/** A few at a time, so that a busy machine does not cause delays. */
async function* scans(port: number, depth: 'safe' | 'full', silences: readonly Silence[], totalMs?: number) {
  for (let index = 0; index < silences.length; index += 3) {
    const some = silences.slice(index, index + 3);
    const ended = await Promise.all(some.map(silence => scan(port, depth, silence, totalMs)));
    for (const [which, result] of ended.entries()) yield [some[which]!, result] as const;
  }
}

async function startSite(): Promise<number> {
  const leaf = authority.issue({ key: 'rsa2048' });
  // With a weak cipher, so that the scan offers the server more of them.
  const tls = { key: leaf.key, cert: leaf.chain, ciphers: 'ECDHE+AESGCM:AES128-SHA' };
  return (await running(twoProtocolServer(tls, site, site))).port;
}

it.each(['safe', 'full'] as const)(
  'ends in time whichever connection goes silent, and keeps everything else (%s)',
  { timeout: 120_000 },
  async depth => {
    const port = await startSite();
    const usual = await scan(port, depth);
    expect([...usual.seen]).toEqual(expect.arrayContaining(['exposure.secrets_file', 'tls.weak_cipher']));
    expect(usual.connections).toBeGreaterThan(7);
    const silences: Silence[] = Array.from({ length: usual.connections }, (_, index) => index + 1).flatMap(
      at => [0, 5, 700].map(after => ({ at, after })),
    );
    for await (const [silence, { milliseconds, seen, missed }] of scans(port, depth, silences)) {
      const context = `silent at ${JSON.stringify(silence)}`;
      expect(milliseconds, context).toBeLessThan(limits.totalMs);
      const passed = [...usual.seen].filter(check => !seen.has(check) && !missed.has(check));
      expect(passed, context).toEqual([]);
      const kept = ['exposure.secrets_file', 'headers.version_banner'].filter(check => seen.has(check));
      expect(kept.length, context).toBeGreaterThan(0);
    }
  },
);

it('ends in time when nothing answers', { timeout: 60_000 }, async () => {
  const port = await startSite();
  const usual = await scan(port, 'safe');
  const totalMs = 3_000;
  // The first handshake shows that there is a site.
  const times = Array.from({ length: usual.connections - 1 }, (_, index) => index + 2);
  const silences = times.map(at => ({ at, after: 5, andLater: true }));
  for await (const [, { milliseconds, seen, missed }] of scans(port, 'safe', silences, totalMs)) {
    expect(milliseconds).toBeLessThan(totalMs + 2_000);
    expect([...usual.seen].filter(check => !seen.has(check) && !missed.has(check))).toEqual([]);
  }
});

/** What the scan collects from a site that answers plain HTTP with these bytes, and has HTTPS. */
async function answering(bytes: string) {
  const leaf = authority.issue();
  const secure: Handler = (_, response) => response.setHeader('content-type', 'text/html').end('<p>Hello');
  const plain: Handler = (_, response) => response.socket!.end(bytes, 'latin1');
  const { port } = await running(twoProtocolServer({ key: leaf.key, cert: leaf.chain }, secure, plain));
  const capture = await collect(`127.0.0.1:${port}`);
  const { notAssessed } = liveScan(detectorsFor('website'), capture);
  return { http: capture.http, left: notAssessed.map(({ check }) => check) };
}

const ofPlain = ['transport.no_redirect', 'transport.password_over_http', 'transport.basic_auth_over_http'];

it.each([
  [
    'two lengths',
    'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok',
  ],
  ['an unknown version', 'HTTP/1.7 200 OK\r\nContent-Type: text/html\r\n\r\n<input type=password>'],
  ['no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n'],
])('does not report plain HTTP as not served if it answers with %s', async (_, bytes) => {
  const { http, left } = await answering(bytes);
  expect(http).toEqual({ assessed: false, reason: 'The answer is not valid HTTP or exceeds a limit.' });
  expect(left).toEqual(expect.arrayContaining(ofPlain));
});

it('reports plain HTTP as not served if the server answers with TLS', async () => {
  const { http, left } = await answering('\x15\x03\x01\x00\x02\x02\x46');
  expect(http).toMatchObject({ assessed: true, value: { served: false } });
  expect(left).not.toEqual(expect.arrayContaining(ofPlain));
});

it('reports that a name cannot be resolved if its name server stays silent', async () => {
  const guard = createTargetGuard({ allowlist: [], resolve: () => new Promise(() => {}) });
  await expect(collect('silent.example.com', { guard })).rejects.toMatchObject({ errorCode: 'dns_failed' });
});
