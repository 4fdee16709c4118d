import { expect, it } from 'vitest';
import { collect, type Handler, running } from '../../../test/support/collecting.ts';
import { inspectionFrom } from '../../../test/support/resolved-by.ts';
import { httpServer } from '../../../test/support/website.ts';
import type { WebsiteCapture } from '../../captures/website.ts';

const page = `<!doctype html><title>Clinic</title>
  <a href="/doctors?department=eyes&amp;page=2">Doctors</a> <a href="/doctors?page=3&department=ears">More</a>
  <a href="/account?action=delete&id=3">Delete</a> <a href="/logout?next=/">Leave</a>
  <a href="/report?id=1" rel="nofollow">Report</a> <a href="https://other.example/?q=1">Other</a>
  <form action="/search"><input name="q"><input type="hidden" name="in" value="all"></form>
  <form action="/sign-in-here"><input name="user"><input type="password" name="word"></form>
  <form action="/contact" method="post"><input name="text"></form>
  <script src="/a.js"></script><script src="/b.js"></script><script src="/c.js"></script>`;

/** A site with places that only a full scan finds. */
const site: Handler = (request, response) => {
  const { pathname, searchParams } = new URL(request.url!, 'http://site');
  response.setHeader('content-type', 'text/html; charset=utf-8');
  if (request.method === 'TRACE') {
    const { rawHeaders } = request;
    return response
      .setHeader('content-type', 'message/http')
      .end(`TRACE / HTTP/1.1\r\n${rawHeaders.join('\r\n')}`);
  }
  if (request.method === 'OPTIONS') return response.setHeader('allow', 'GET, PUT, MKCOL, MOVE').end();
  if (pathname === '/') return response.end(page);
  if (pathname === '/search') return response.end(`<p>Results for ${searchParams.get('q')}`);
  if (pathname === '/doctors') return response.end(`<p>${searchParams.get('page')?.replace(/[<>"'&]/g, '')}`);
  if (pathname === '/c.js.map') {
    return response
      .setHeader('content-type', 'application/json')
      .end('{"version":3,"sources":[],"mappings":""}');
  }
  if (pathname === '/api/.env') {
    return response.setHeader('content-type', 'text/plain').end('DB_PASSWORD=hunter2hunter2\n');
  }
  return response.writeHead(404).end('<p>Not here');
};

async function scanSite(
  depth: 'safe' | 'full',
  options: { place?: string; parts?: ReadonlySet<string> } = {},
) {
  const asked: { method: string; url: URL }[] = [];
  const { port } = await running(
    httpServer((request, response) => {
      asked.push({ method: request.method!, url: new URL(request.url!, `http://127.0.0.1:${port}`) });
      site(request, response);
    }),
  );
  const place = options.place?.replace('SITE', `http://127.0.0.1:${port}`);
  const capture = await collect(`http://127.0.0.1:${port}/`, {
    depth,
    ...options,
    ...(place === undefined ? {} : { place }),
  });
  return { asked, capture };
}

const probesOf = ({ exposure }: WebsiteCapture) => (exposure.assessed ? exposure.value.probes : []);

it('sends more requests in a full scan, with methods that change nothing', async () => {
  const { asked, capture } = await scanSite('full');
  expect(asked.length).toBeGreaterThan(230);
  expect(asked.length).toBeLessThanOrEqual(600);
  expect(new Set(asked.map(({ method }) => method))).toEqual(new Set(['GET', 'OPTIONS', 'TRACE']));
  const paths = probesOf(capture).map(({ path }) => path);
  expect(paths).toEqual(expect.arrayContaining(['/api/.env', '/c.js.map']));
  expect(new Set(paths).size).toBe(paths.length);
  expect(capture.methods).toMatchObject({
    value: {
      options: { value: { status: 200, method: 'OPTIONS' } },
      trace: { value: { status: 200, echoes: true } },
    },
  });
});

it('sends marked text only where the page offers parameters to visitors, and never to actions', async () => {
  const { asked, capture } = await scanSite('full', { parts: new Set(['reflections']) });
  const reflections = capture.reflections.assessed ? capture.reflections.value : [];
  const sent = reflections.map(({ url, parameters }) => [
    new URL(url).pathname,
    ...parameters.map(({ name }) => name),
  ]);
  expect(sent).toEqual([
    ['/', 'parapet'],
    ['/doctors', 'department', 'page'],
    ['/search', 'q'],
  ]);
  const search = asked.findLast(({ url }) => url.pathname === '/search')!;
  expect(search.url.searchParams.get('in')).toBe('all');
  expect(search.url.searchParams.get('q')).toMatch(/^(p[0-9a-f]{12})"'<\/\1><\1>$/);
  for (const path of ['/account', '/logout', '/report', '/sign-in-here', '/contact']) {
    expect(asked.map(({ url }) => url.pathname)).not.toContain(path);
  }
});

/** As Apollo Server 4 and GraphQL Yoga answer. */
const graphqlServer =
  (path: string, introspects: boolean): Handler =>
  (request, response) => {
    const answer = (status: number, body: object) =>
      response
        .writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
        .end(JSON.stringify(body));
    const { pathname } = new URL(request.url!, 'http://site');
    response.setHeader('content-type', 'text/html');
    if (pathname === '/')
      return response.end('<!doctype html><title>Shop</title><script src="/app.js"></script>');
    if (pathname === '/app.js') return response.end(`client({ uri: "${path}" })`);
    if (pathname !== path) return response.writeHead(404).end('<p>Not here');
    if (request.method !== 'POST')
      return answer(400, { errors: [{ message: 'This operation has been blocked as a potential CSRF.' }] });
    if (request.headers['content-type'] !== 'application/json') return answer(415, { errors: [] });
    return introspects
      ? answer(200, { data: { __schema: { queryType: { name: 'Query' } } } })
      : answer(400, { errors: [{ message: 'GraphQL introspection is not allowed by Apollo Server' }] });
  };

it.each([
  ['/graphql', true],
  ['/graphql', false],
  ['/shop/gql', true],
])('asks the GraphQL endpoint %s by POST whether it shows its schema: %s', async (path, introspects) => {
  const { port } = await running(httpServer(graphqlServer(path, introspects)));
  const inspected = inspectionFrom(await collect(`http://127.0.0.1:${port}/`, { depth: 'full' }));
  const seen = inspected.seen.filter(({ category }) => category === 'exposure.graphql_introspection');
  expect(seen.map(({ locator }) => new URL(locator).pathname)).toEqual(introspects ? [path] : []);
  const safe = inspectionFrom(await collect(`http://127.0.0.1:${port}/`));
  expect(safe.seen.map(({ category }) => category)).not.toContain('exposure.graphql_introspection');
});

it('sends none of these requests in a safe scan', async () => {
  const { asked, capture } = await scanSite('safe');
  expect(asked.length).toBeLessThanOrEqual(60);
  expect(new Set(asked.map(({ method }) => method))).toEqual(new Set(['GET']));
  expect(asked.filter(({ url }) => url.search.includes('%3C'))).toEqual([]);
  const reason = 'Only a full scan requests it.';
  expect(capture).toMatchObject({ methods: { reason }, reflections: { reason } });
  expect(capture.exposure).toMatchObject({ value: { left_out: ['source_map'] } });
});

it.each([
  ['a file', 'SITE/api/.env', '/api/.env'],
  ['a folder', 'SITE/uploads/', '/uploads/'],
  ['a repository', 'SITE/app/.git/', '/app/.git/config'],
])('requests the place of a finding to verify: %s', async (_, place, path) => {
  const { capture } = await scanSite('safe', { place, parts: new Set(['exposure']) });
  expect(probesOf(capture).map(probe => probe.path)).toContain(path);
});

it('requests every source map to verify a finding of any of them', async () => {
  const { capture } = await scanSite('safe', { place: 'SITE source map', parts: new Set(['exposure']) });
  expect(probesOf(capture).map(({ path }) => path)).toContain('/c.js.map');
});

it('verifies a parameter that the page no longer references', async () => {
  const parts = new Set(['reflections']);
  const { capture } = await scanSite('full', { place: 'SITE/gone parameter old', parts });
  const reflections = capture.reflections.assessed ? capture.reflections.value : [];
  expect(reflections[0]).toMatchObject({
    url: expect.stringMatching(/\/gone$/),
    parameters: [{ name: 'old' }],
  });
});
