import { describe, expect, it } from 'vitest';
import { authority, collect, hello, running } from '../../../test/support/collecting.ts';
import { httpServer, twoProtocolServer } from '../../../test/support/website.ts';

describe('plain HTTP and redirects', () => {
  it('recognizes a port that answers only plain HTTP', async () => {
    const { port } = await running(httpServer(hello));
    for (const host of [`127.0.0.1:${port}`, `http://127.0.0.1:${port}/`]) {
      const capture = await collect(host);
      expect(capture.https).toMatchObject({ assessed: true, value: { served: false } });
      expect(capture.http).toMatchObject({ assessed: true, value: { served: true } });
      expect(capture.page).toMatchObject({ assessed: true, value: { status: 200 } });
      expect(capture.tls.assessed).toBe(false);
    }
  });

  it('treats a refusal of plain HTTP on the HTTPS port as not served', async () => {
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

  it('keeps repeated headers separate and in order', async () => {
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

describe('the page', () => {
  it.each([403, 429, 503])('is not assessed if the status is %i', async status => {
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

  it('can be collected alone if a run needs nothing else', async () => {
    const urls: (string | undefined)[] = [];
    const { port } = await running(
      httpServer((request, response) => {
        urls.push(request.url);
        hello(request, response);
      }),
    );
    const capture = await collect(`http://127.0.0.1:${port}/`, { parts: new Set() });
    expect(capture.page.assessed).toBe(true);
    expect(capture.exposure).toEqual({ assessed: false, reason: 'It was not part of this run.' });
    expect(urls).toEqual(['/robots.txt', '/']);
  });
});

describe('manners', () => {
  it('sends only GET requests, one at a time, at most 60, with its user agent', async () => {
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

  it('stops when the site limits requests', async () => {
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

  it('keeps to the limit of requests, and reports what it left out', async () => {
    let requests = 0;
    const { port } = await running(
      httpServer((request, response) => {
        requests += 1;
        if (request.url === '/.env') response.writeHead(403).end();
        else hello(request, response);
      }),
    );
    const limits = { requests: 10, bytes: 1_000_000, totalMs: 20_000, requestMs: 5_000 };
    const { exposure } = await collect(`http://127.0.0.1:${port}/`, { limits });
    expect(requests).toBe(10);
    const left = exposure.assessed ? exposure.value.probes.filter(({ response }) => !response.assessed) : [];
    expect(left.length).toBeGreaterThan(20);
  });

  it('throws the reason if the caller aborts', async () => {
    const controller = new AbortController();
    const { port } = await running(httpServer(() => controller.abort(new Error('scan canceled'))));
    await expect(collect(`http://127.0.0.1:${port}/`, { signal: controller.signal })).rejects.toThrow(
      'scan canceled',
    );
  });
});
