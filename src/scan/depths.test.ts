import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { collect, type Handler, running } from '../../test/support/collecting.ts';
import { inspectionFrom, resolvedBy, storedBy } from '../../test/support/resolved-by.ts';
import { httpServer } from '../../test/support/website.ts';
import { detectorsFor } from '../detectors/catalogue.ts';
import type { Detector } from '../detectors/detector.ts';
import { captureWith, seen, tlsWith } from '../detectors/website/hardened-capture.ts';
import { conclude } from './conclude.ts';
import type { Inspection } from './inspection.ts';
import { depthOf, detectorsNamed, planSource, revisitedChecks } from './plan.ts';

/** A scan resolves only what it tested in the way that found it, and another scan of the same kind can resolve it. */

const proof = { by: 'well_known_file', address: '127.0.0.1' } as const;
const revisited = new Set(revisitedChecks(detectorsFor('website') as readonly Detector<unknown>[]));

/** A site with these answers by path, which can be changed. A text is a page, script, style sheet or map. */
async function siteWith(answers: Record<string, string | Handler>) {
  const requests: string[] = [];
  const { port } = await running(
    httpServer((request: IncomingMessage, response: ServerResponse) => {
      const path = request.url!.split('?', 1)[0]!;
      requests.push(path);
      const answer = answers[path];
      if (typeof answer === 'function') return answer(request, response);
      const ending = path.slice(path.lastIndexOf('.') + 1);
      const type = { js: 'text/javascript', css: 'text/css', map: 'application/json' }[ending] ?? 'text/html';
      response.writeHead(answer === undefined ? 404 : 200, { 'content-type': type });
      response.end(answer ?? '<!doctype html><p>Not here');
    }),
  );
  const scan = async (depth: 'safe' | 'full', earlier?: Inspection) => {
    const openPlaces = (earlier?.seen ?? [])
      .filter(({ category }) => revisited.has(category))
      .map(({ locator }) => locator);
    const capture = await collect(`http://127.0.0.1:${port}/`, {
      depth,
      openPlaces,
      ...(depth === 'full' ? { proof } : {}),
    });
    return inspectionFrom(capture);
  };
  /** What verifying the finding of a check collects. */
  const verify = async ({ seen }: Inspection, check: string) => {
    const { locator } = seen.find(({ category }) => category === check)!;
    const depth = depthOf({ profile: 'verify_finding', category: check, place: locator });
    const names = planSource({ kind: 'website' }, { profile: 'verify_finding', category: check });
    const detectors = detectorsNamed('website', names);
    requests.length = 0;
    const capture = await collect(`http://127.0.0.1:${port}/`, {
      depth,
      parts: new Set(detectors.flatMap(({ reads }) => reads ?? [])),
      place: locator,
      ...(depth === 'full' ? { proof } : {}),
    });
    return { depth, requests: requests.length, inspection: inspectionFrom(capture) };
  };
  return { answers, scan, verify };
}

const page = (rest: string) =>
  `<!doctype html><html lang=en><head><title>Clinic</title></head><body><p>Welcome to the clinic.</p>${rest}`;
const locators = ({ seen }: Inspection, check: string) =>
  seen.filter(({ category }) => category === check).map(({ locator }) => locator.replace(/:\d+/, ''));

const json: Handler = (_, response) => void response.setHeader('content-type', 'application/json').end('{}');
const allowing =
  (isAllowed: (origin: string) => boolean, body = '{}', type = 'application/json'): Handler =>
  ({ headers: { origin } }, response) => {
    response.setHeader('content-type', type);
    if (origin !== undefined && isAllowed(origin)) {
      response.setHeader('access-control-allow-origin', origin);
      response.setHeader('access-control-allow-credentials', 'true');
    }
    response.end(body);
  };

const isForeign = (origin: string) => origin !== 'null';
const calls = (...paths: string[]) => paths.map(path => `fetch("${path}")`).join(';');

it('keeps the permission of an endpoint that a safe scan does not find, and requests it again', async () => {
  const paths = ['/data/1', '/data/2', '/data/3', '/data/4', '/data/5'];
  const { answers, scan } = await siteWith({
    '/': page('<script src=/app.js></script>'),
    '/app.js': calls(...paths),
    ...Object.fromEntries(paths.map(path => [path, json])),
    '/data/5': allowing(isForeign),
  });
  const full = await scan('full');
  expect(locators(full, 'cors.reflects_origin')).toEqual(['http://127.0.0.1/data/5 origin foreign']);
  expect(resolvedBy(full, await scan('safe'))).not.toContain('cors.reflects_origin');
  const again = await scan('safe', full);
  expect(locators(again, 'cors.reflects_origin')).toEqual(['http://127.0.0.1/data/5 origin foreign']);
  expect(resolvedBy(full, again)).not.toContain('cors.reflects_origin');
  answers['/data/5'] = json;
  expect(resolvedBy(full, await scan('safe', full))).toContain('cors.reflects_origin');
});

it('keeps the permission of an endpoint that others displace', async () => {
  const { answers, scan } = await siteWith({
    '/': page('<script src=/app.js></script>'),
    '/app.js': calls('/data/c'),
    '/data/a': json,
    '/data/b': json,
    '/data/c': allowing(isForeign),
  });
  const before = await scan('safe');
  answers['/app.js'] = calls('/data/a', '/data/b', '/data/c');
  expect(resolvedBy(before, await scan('safe'))).not.toContain('cors.reflects_origin');
  expect(resolvedBy(before, await scan('safe', before))).not.toContain('cors.reflects_origin');
  answers['/app.js'] = 'go()';
  delete answers['/data/c'];
  expect(resolvedBy(before, await scan('safe', before))).toContain('cors.reflects_origin');
});

it('sends the origin of an open finding again', async () => {
  const body = page('<p>Open');
  const { answers, scan } = await siteWith({
    '/': allowing(origin => origin === 'http://localhost:3000', body, 'text/html'),
  });
  const full = await scan('full');
  expect(locators(full, 'cors.reflects_origin')).toEqual(['http://127.0.0.1 localhost']);
  expect(resolvedBy(full, await scan('safe'))).not.toContain('cors.reflects_origin');
  const again = await scan('safe', full);
  expect(locators(again, 'cors.reflects_origin')).toEqual(['http://127.0.0.1 localhost']);
  answers['/'] = body;
  expect(resolvedBy(full, await scan('safe', full))).toContain('cors.reflects_origin');
});

it('keeps the permission that only a preflight shows', async () => {
  const { answers, scan, verify } = await siteWith({
    '/': page('<script src=/app.js></script>'),
    '/app.js': calls('/data/1'),
    '/data/1': (request, response) =>
      (request.method === 'OPTIONS' ? allowing(isForeign) : json)(request, response),
  });
  const full = await scan('full');
  expect(locators(full, 'cors.reflects_origin')).toEqual([
    'http://127.0.0.1/data/1 origin foreign, full scan',
  ]);
  expect(resolvedBy(full, await scan('safe', full))).not.toContain('cors.reflects_origin');
  const still = await verify(full, 'cors.reflects_origin');
  expect(still.depth).toBe('full');
  expect(resolvedBy(full, still.inspection)).not.toContain('cors.reflects_origin');
  answers['/data/1'] = json;
  expect(resolvedBy(full, (await verify(full, 'cors.reflects_origin')).inspection)).toContain(
    'cors.reflects_origin',
  );
  expect(resolvedBy(full, await scan('full', full))).toContain('cors.reflects_origin');
});

it('reports one permission of a server once, and that of an open endpoint as well', async () => {
  const { answers, scan } = await siteWith({
    '/': page('<script src=/app.js></script>'),
    '/app.js': calls('/data/1', '/data/2'),
    '/data/1': allowing(isForeign),
    '/data/2': allowing(isForeign),
  });
  const first = await scan('safe');
  const place = 'http://127.0.0.1/data/1 origin foreign';
  expect(locators(first, 'cors.reflects_origin')).toEqual([place]);
  answers['/app.js'] = calls('/data/2', '/data/1');
  expect(locators(await scan('safe', first), 'cors.reflects_origin')).toEqual([place]);
});

const map = (sources: string[], sourcesContent: string[]) =>
  JSON.stringify({ version: 3, sources, sourcesContent, names: [], mappings: '' });
const library = '/*! jQuery v1.12.4 | (c) jQuery Foundation | jquery.org/license */ var a = 1;';

it('keeps libraries of a source map that a safe scan does not read', async () => {
  const { answers, scan, verify } = await siteWith({
    '/': page('<script src=/app.js></script>'),
    '/app.js': 'go()\n//# sourceMappingURL=app.js.map',
    '/app.js.map': map(['jquery.js'], [library]),
  });
  const checks = ['libraries.end_of_life', 'libraries.vulnerable'];
  const full = await scan('full');
  expect(locators(full, 'libraries.vulnerable')).toEqual(['http://127.0.0.1 jquery@1, full scan']);
  for (const check of checks) expect(resolvedBy(full, await scan('safe', full))).not.toContain(check);
  answers['/app.js'] = library;
  expect(locators(await scan('full'), 'libraries.vulnerable')).toEqual(['http://127.0.0.1 jquery@1']);
  const visible = await scan('safe');
  answers['/app.js'] = 'go()';
  for (const check of checks) {
    expect(resolvedBy(full, await scan('full', full))).toContain(check);
    expect(resolvedBy(full, (await verify(full, check)).inspection)).toContain(check);
    expect((await verify(visible, check)).depth).toBe('safe');
    expect(resolvedBy(visible, await scan('safe'))).toContain(check);
  }
});

it('keeps the source map of a style sheet', async () => {
  const { answers, scan, verify } = await siteWith({
    '/': page('<link rel=stylesheet href=/css/a.css><script src=/app.js></script>'),
    '/app.js': 'go()',
    '/css/a.css': 'a{}/*# sourceMappingURL=a.css.map */',
    '/css/a.css.map': map(['a.scss'], ['$a: 1']),
  });
  const full = await scan('full');
  expect(locators(full, 'exposure.source_map')).toEqual(['http://127.0.0.1 source map, full scan']);
  expect(resolvedBy(full, await scan('safe', full))).not.toContain('exposure.source_map');
  delete answers['/css/a.css.map'];
  const verified = await verify(full, 'exposure.source_map');
  expect(resolvedBy(full, verified.inspection)).toContain('exposure.source_map');
  // Not the paths that only full scans request.
  expect(verified.requests).toBeLessThan(80);
  expect(resolvedBy(full, await scan('full', full))).toContain('exposure.source_map');
});

it('keeps a schema that only POST shows', async () => {
  const schema: Handler = (request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(
      request.method === 'POST'
        ? '{"data":{"__schema":{"queryType":{"name":"Query"}}}}'
        : '{"errors":[{"message":"POST only"}]}',
    );
  };
  const { answers, scan, verify } = await siteWith({
    '/': page('<script src=/app.js></script>'),
    '/app.js': 'const api = "/graphql"',
    '/graphql': schema,
  });
  const full = await scan('full');
  expect(locators(full, 'exposure.graphql_introspection')).toEqual(['http://127.0.0.1/graphql#full-scan']);
  expect(resolvedBy(full, await scan('safe', full))).not.toContain('exposure.graphql_introspection');
  const kept = { stored: storedBy(full), kept: 0, outdated: new Set<string>() };
  const { outcomes } = conclude(await scan('safe', full), kept, null);
  expect(outcomes.find(({ check }) => check === 'exposure.graphql_introspection')).toMatchObject({
    outcome: 'not_assessed',
    reason: expect.stringMatching(/^Only full scans assess its earlier findings/),
  });
  delete answers['/graphql'];
  const verified = await verify(full, 'exposure.graphql_introspection');
  expect(resolvedBy(full, verified.inspection)).toContain('exposure.graphql_introspection');
  expect(resolvedBy(full, await scan('full', full))).toContain('exposure.graphql_introspection');
});

const own = tlsWith({});
if (!own.assessed) throw new TypeError('the handshake is assessed');
const tls = own.value;
const old = 'https://old.portal.example.com';
const certificatesWith = (further: (typeof tls)['further_hosts']) =>
  inspectionFrom(captureWith({ tls: tlsWith({ further_hosts: further }) }));
const expired = {
  ...tls,
  chain: [{ ...tls.chain[0]!, not_after: '2026-01-01T00:00:00.000Z' }, ...tls.chain.slice(1)],
};

it('keeps the certificate of a host that it did not test', () => {
  const before = certificatesWith([{ origin: old, handshake: seen(expired) }]);
  expect(locators(before, 'tls.certificate_expired')).toEqual([old]);
  expect(resolvedBy(before, certificatesWith([]))).toEqual([]);
  expect(
    resolvedBy(
      before,
      certificatesWith([{ origin: old, handshake: { assessed: false, reason: 'No answer.' } }]),
    ),
  ).toEqual([]);
  expect(resolvedBy(before, certificatesWith([{ origin: old, handshake: seen(tls) }]))).toContain(
    'tls.certificate_expired',
  );
  expect(resolvedBy(before, certificatesWith([{ origin: old, handshake: seen(null) }]))).toContain(
    'tls.certificate_expired',
  );
});
