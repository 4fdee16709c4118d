import { afterEach, describe, expect, it } from 'vitest';
import { type TestCertificate, testAuthority, testCertificate } from '../../../test/support/certificates.ts';
import {
  httpServer,
  httpsServer,
  loopbackGuard,
  type TestServer,
  twoProtocolServer,
} from '../../../test/support/website.ts';
import type { TlsFacts, WebsiteEvidence } from '../../evidence/website.ts';
import { collectWebsite } from './collect.ts';
import type { WebsiteOptions } from './session.ts';

const authority = testAuthority();
const servers: TestServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map(server => server.close()));
});

async function running(starting: Promise<TestServer>): Promise<TestServer> {
  const server = await starting;
  servers.push(server);
  return server;
}

function collect(host: string, options: Partial<WebsiteOptions> = {}): Promise<WebsiteEvidence> {
  return collectWebsite(host, {
    guard: loopbackGuard(),
    signal: AbortSignal.timeout(30_000),
    trustedRoots: [authority.root],
    ...options,
  });
}

type Handler = Parameters<typeof httpServer>[0];
const hello: Handler = (request, response) => {
  response.statusCode = request.url === '/' ? 200 : 404;
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.end('<!doctype html><p>Hello');
};

const permissive = { minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;

async function tlsOf(
  made: TestCertificate,
  options: { chain?: string; server?: object } = {},
): Promise<TlsFacts> {
  const cert = options.chain ?? made.certificate;
  const { port } = await running(httpsServer({ key: made.key, cert, ...options.server }, hello));
  const { tls } = await collect(`127.0.0.1:${port}`);
  if (!tls.assessed) throw new Error(tls.reason);
  return tls.value;
}

describe('certificates', () => {
  it('records a good chain', async () => {
    const leaf = authority.issue();
    const tls = await tlsOf(leaf, { chain: leaf.chain });
    expect(tls).toMatchObject({
      negotiated_version: 'TLSv1.3',
      hostname_matches: true,
      authorization_error: null,
      weak_ciphers: { assessed: true, value: [] },
    });
    expect(tls.protocols.map(({ support }) => support)).toEqual([
      'refused',
      'refused',
      'accepted',
      'accepted',
    ]);
    expect(tls.chain[0]).toMatchObject({
      subject: 'CN=Test Site',
      issuer: 'CN=Test Intermediate',
      subject_alt_names: ['IP Address:127.0.0.1', 'DNS:localhost'],
      key_type: 'ec',
      key_bits: 256,
      signature_algorithm: 'ecdsaWithSHA256',
      self_signed: false,
      names_issuer_location: true,
    });
  });

  it('records an expired one', async () => {
    const leaf = authority.issue({ fromDay: -90, toDay: -1 });
    const tls = await tlsOf(leaf, { chain: leaf.chain });
    expect(tls.authorization_error).toBe('CERT_HAS_EXPIRED');
    expect(Date.parse(tls.chain[0]!.not_after)).toBeLessThan(Date.now());
  });

  it('records a name that is not covered', async () => {
    const leaf = authority.issue({ covers: ['other.example'] });
    const tls = await tlsOf(leaf, { chain: leaf.chain });
    expect(tls).toMatchObject({ hostname_matches: false, authorization_error: null });
  });

  it('records a name that is not covered by a certificate that is not trusted either', async () => {
    const tls = await tlsOf(testCertificate({ covers: ['other.example'] }));
    expect(tls).toMatchObject({
      hostname_matches: false,
      authorization_error: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    });
    expect(tls.chain).toHaveLength(1);
    expect(tls.chain[0]!.self_signed).toBe(true);
  });

  it('records a chain without its intermediate', async () => {
    const tls = await tlsOf(authority.issue());
    expect(tls.authorization_error).toBe('UNABLE_TO_VERIFY_LEAF_SIGNATURE');
    expect(tls.chain).toHaveLength(1);
  });

  it('records short keys and broken hashes', async () => {
    const made = testCertificate({ key: 'rsa1024', hash: 'sha1' });
    const tls = await tlsOf(made, { server: { ciphers: 'DEFAULT@SECLEVEL=0' } });
    expect(tls.chain[0]).toMatchObject({
      key_type: 'rsa',
      key_bits: 1024,
      signature_algorithm: 'sha1WithRSAEncryption',
    });
  });
});

describe('protocol versions and ciphers', () => {
  it('finds a server that knows TLS 1.0 only', async () => {
    const made = testCertificate({ key: 'rsa2048' });
    const tls = await tlsOf(made, { server: { ...permissive, maxVersion: 'TLSv1' } });
    expect(tls.negotiated_version).toBe('TLSv1');
    expect(tls.protocols.map(({ support }) => support)).toEqual([
      'accepted',
      'refused',
      'refused',
      'refused',
    ]);
  });

  it('finds RSA key transport and refuses to call more weak', async () => {
    const tls = await tlsOf(testCertificate({ key: 'rsa2048' }), { server: permissive });
    if (!tls.weak_ciphers.assessed) throw new Error(tls.weak_ciphers.reason);
    expect(tls.weak_ciphers.value.length).toBeGreaterThan(0);
    expect(tls.weak_ciphers.value.every(name => name.startsWith('TLS_RSA_WITH_AES'))).toBe(true);
  });
});

describe('plain HTTP and redirects', () => {
  it('sees that a port answers plain HTTP only', async () => {
    const { port } = await running(httpServer(hello));
    for (const host of [`127.0.0.1:${port}`, `http://127.0.0.1:${port}/`]) {
      const evidence = await collect(host);
      expect(evidence.https).toMatchObject({ assessed: true, value: { served: false } });
      expect(evidence.http).toMatchObject({ assessed: true, value: { served: true } });
      expect(evidence.page).toMatchObject({ assessed: true, value: { status: 200 } });
      expect(evidence.tls.assessed).toBe(false);
    }
  });

  it('takes a refusal of plain HTTP on the HTTPS port as not served', async () => {
    const leaf = authority.issue();
    const { port } = await running(
      twoProtocolServer({ key: leaf.key, cert: leaf.chain }, hello, (_, response) => {
        response.statusCode = 400;
        response.end('The plain HTTP request was sent to HTTPS port');
      }),
    );
    expect((await collect(`127.0.0.1:${port}`)).http).toMatchObject({ value: { served: false } });
  });

  it('follows a redirect from plain HTTP to HTTPS', async () => {
    const leaf = authority.issue();
    const { port } = await running(
      twoProtocolServer({ key: leaf.key, cert: leaf.chain }, hello, (request, response) => {
        response.writeHead(301, { location: `https://${request.headers.host}${request.url}` }).end();
      }),
    );
    const { http } = await collect(`127.0.0.1:${port}`);
    expect(http.assessed && http.value.responses.map(({ url, status }) => [url, status])).toEqual([
      [`http://127.0.0.1:${port}/`, 301],
      [`https://127.0.0.1:${port}/`, 200],
    ]);
  });

  it('stops at endless redirects, other sites and private addresses', async () => {
    const inner = await running(httpServer(() => expect.unreachable('a refused address was contacted')));
    const locations: Record<string, string> = {
      '/loop': '/loop',
      '/away': 'https://other.example/',
      '/inside': `http://127.0.0.2:${inner.port}/`,
      '/spelled': `http://2130706434:${inner.port}/`,
      '/script': 'javascript:alert(1)',
    };
    const { port } = await running(
      httpServer((request, response) => {
        response.writeHead(302, { location: locations[request.url ?? ''] ?? '/' }).end();
      }),
    );
    const stopped = async (path: string) => {
      const { http } = await collect(`http://127.0.0.1:${port}${path}`);
      return http.assessed ? http.value.stopped : http.reason;
    };
    expect(await stopped('/loop')).toBe('too_many_redirects');
    for (const path of ['/away', '/inside', '/spelled']) expect(await stopped(path)).toBe('other_site');
    expect(await stopped('/script')).toBe(null);
  });

  it('keeps repeated headers apart and in order', async () => {
    const { port } = await running(
      httpServer((_, response) => {
        response.setHeader('Set-Cookie', ['a=1', 'b=2']);
        response.end('hello');
      }),
    );
    const { page } = await collect(`http://127.0.0.1:${port}/`);
    const cookies = page.assessed ? page.value.headers.filter(([name]) => name === 'set-cookie') : [];
    expect(cookies).toEqual([
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2'],
    ]);
  });
});

describe('what the page is', () => {
  it.each([403, 429, 503])('is not known when the answer is %i', async status => {
    const { port } = await running(
      httpServer((_, response) => {
        response.statusCode = status;
        response.end('<!doctype html><p>Are you a robot?');
      }),
    );
    const { page, cors, http } = await collect(`http://127.0.0.1:${port}/`);
    expect(page).toEqual({ assessed: false, reason: `The page answers the scan with status ${status}.` });
    expect(cors.assessed).toBe(false);
    expect(http).toMatchObject({ assessed: true, value: { served: true } });
  });

  it('can be had alone, when a run needs nothing else', async () => {
    const urls: (string | undefined)[] = [];
    const { port } = await running(
      httpServer((request, response) => {
        urls.push(request.url);
        hello(request, response);
      }),
    );
    const evidence = await collect(`http://127.0.0.1:${port}/`, { parts: [] });
    expect(evidence.page.assessed).toBe(true);
    expect(evidence.exposure).toEqual({ assessed: false, reason: 'It was not part of this run.' });
    expect(urls).toEqual(['/']);
  });
});

describe('manners', () => {
  it('asks with GET only, one at a time, at most 60 times, and says who it is', async () => {
    let open = 0;
    let most = 0;
    const seen: { method: string; agent: string; url: string }[] = [];
    const { port } = await running(
      httpServer((request, response) => {
        open += 1;
        most = Math.max(most, open);
        seen.push({
          method: request.method ?? '',
          agent: request.headers['user-agent'] ?? '',
          url: request.url ?? '',
        });
        setImmediate(() => {
          open -= 1;
          hello(request, response);
        });
      }),
    );
    await collect(`http://127.0.0.1:${port}/`);
    expect(most).toBe(1);
    expect(seen.length).toBeLessThanOrEqual(60);
    expect([...new Set(seen.map(({ method }) => method))]).toEqual(['GET']);
    expect([...new Set(seen.map(({ agent }) => agent))]).toEqual(['Parapet/0.1 (+security posture scan)']);
    expect(seen.some(({ url }) => url.includes('heapdump'))).toBe(false);
  });

  it('stops asking when the site says that it is too much', async () => {
    let requests = 0;
    const { port } = await running(
      httpServer((request, response) => {
        requests += 1;
        response.statusCode = request.url === '/' ? 200 : 429;
        response.end('slow down');
      }),
    );
    const { exposure } = await collect(`http://127.0.0.1:${port}/`);
    expect(requests).toBeLessThan(6);
    expect(exposure.assessed && exposure.value.probes.every(({ response }) => !response.assessed)).toBe(true);
  });

  it('keeps to the limit of requests, and says what it left out', async () => {
    let requests = 0;
    const { port } = await running(
      httpServer((request, response) => {
        requests += 1;
        hello(request, response);
      }),
    );
    const limits = { requests: 10, bytes: 1_000_000, totalMs: 20_000, requestMs: 5_000 };
    const { exposure } = await collect(`http://127.0.0.1:${port}/`, { limits });
    expect(requests).toBe(10);
    const left = exposure.assessed ? exposure.value.probes.filter(({ response }) => !response.assessed) : [];
    expect(left.length).toBeGreaterThan(20);
  });

  it('throws the reason when the caller aborts', async () => {
    const controller = new AbortController();
    const { port } = await running(httpServer(() => controller.abort(new Error('scan canceled'))));
    await expect(collect(`http://127.0.0.1:${port}/`, { signal: controller.signal })).rejects.toThrow(
      'scan canceled',
    );
  });
});

describe('credentials', () => {
  const credential = { type: 'basic', username: 'nurse', password: 'correct horse' } as const;
  const encoded = Buffer.from('nurse:correct horse').toString('base64');

  function guarded(headers: (string | undefined)[]): Handler {
    return (request, response) => {
      headers.push(request.headers.authorization);
      response.setHeader('x-echo', request.headers.authorization ?? 'none');
      response.statusCode = request.headers.authorization === undefined ? 401 : 200;
      response.end(`hello ${request.headers.authorization} correct horse`);
    };
  }

  it('go to the page over trusted HTTPS, not to plain HTTP, not with exposure probes, and not into the evidence', async () => {
    const leaf = authority.issue();
    const secure: (string | undefined)[] = [];
    const plain: (string | undefined)[] = [];
    const { port } = await running(
      twoProtocolServer({ key: leaf.key, cert: leaf.chain }, guarded(secure), guarded(plain)),
    );
    const evidence = await collect(`127.0.0.1:${port}`, { credential });
    expect(evidence.credential).toBe('sent');
    expect(evidence.page).toMatchObject({ assessed: true, value: { status: 200 } });
    expect(secure.filter(value => value === `Basic ${encoded}`)).toHaveLength(3);
    expect(plain.every(value => value === undefined)).toBe(true);
    expect(JSON.stringify(evidence)).not.toContain('correct horse');
    expect(JSON.stringify(evidence)).not.toContain(encoded);
  });

  it('stay here when the certificate is not trusted', async () => {
    const made = testCertificate();
    const headers: (string | undefined)[] = [];
    const { port } = await running(httpsServer({ key: made.key, cert: made.certificate }, guarded(headers)));
    const evidence = await collect(`127.0.0.1:${port}`, { credential });
    expect(evidence.credential).toBe('withheld');
    expect(headers.every(value => value === undefined)).toBe(true);
  });

  it('do not follow a redirect to another port', async () => {
    const elsewhere: (string | undefined)[] = [];
    const other = await running(httpServer(guarded(elsewhere)));
    const { port } = await running(
      httpServer((_, response) => {
        response.writeHead(302, { location: `http://127.0.0.1:${other.port}/` }).end();
      }),
    );
    await collect(`http://127.0.0.1:${port}/`, {
      credential: { type: 'header', name: 'X-Api-Key', value: 's3cret-value' },
    });
    expect(elsewhere.length).toBeGreaterThan(0);
    await collect(`http://127.0.0.1:${port}/`, { credential });
    expect(elsewhere.every(value => value === undefined)).toBe(true);
  });

  it.each([
    { type: 'header', name: 'Host', value: 'other.example' },
    { type: 'header', name: 'X-Key', value: 'a\r\nX-Other: b' },
    { type: 'header', name: 'X Key', value: 'a' },
    { type: 'basic', username: 'a:b', password: 'c' },
  ] as const)('are refused when they are no header: %j', async refused => {
    await expect(collect('127.0.0.1:9', { credential: refused })).rejects.toMatchObject({
      errorCode: 'invalid_credential',
    });
  });
});
