import { expect, it } from 'vitest';
import { collect, type Handler, running } from '../../../test/support/collecting.ts';
import { httpServer, loopbackGuard } from '../../../test/support/website.ts';
import { findDomainProof } from './domain-proof.ts';
import { challengePath, proofPlaces } from './proof-places.ts';

/** The server of a source and another one, and the requests of each. */
async function twoServers(answer: (path: string, other: string) => string | null) {
  const asked: Record<'own' | 'other', string[]> = { own: [], other: [] };
  const serve =
    (name: 'own' | 'other', answerFor: (path: string) => string | null): Handler =>
    (request, response) => {
      asked[name].push(request.url!);
      const body = answerFor(request.url!);
      response
        .writeHead(body === null ? 404 : 200, { 'content-type': 'text/html' })
        .end(body ?? '<p>Nothing');
    };
  const other = await running(httpServer(serve('other', () => '-- MySQL dump\nCREATE TABLE a (b int);')));
  const otherHost = `127.0.0.1:${other.port}`;
  const own = await running(httpServer(serve('own', path => answer(path, otherHost))));
  return { asked, otherHost, host: `http://127.0.0.1:${own.port}` };
}

it.each(['safe', 'full'] as const)(
  'sends no request of a %s scan to a host that a path names',
  async depth => {
    const { asked, host } = await twoServers((path, other) => {
      if (path === '/')
        return `<!doctype html><title>Shop</title><p>Welcome<script src="/.//${other}/app.js"></script>
        <script src="/b.js"></script><img src="/.//${other}/images/a.png">`;
      if (path === '/b.js') return `let a;\n//# sourceMappingURL=/.//${other}/maps/x.map`;
      if (path === '/robots.txt')
        return ['//HOST/backup.sql', '/\\HOST/backup2.sql', '/.//HOST/db.sql']
          .map(line => `Disallow: ${line.replace('HOST', other)}`)
          .join('\n');
      return null;
    });
    await collect(host, { depth });
    expect(asked.other).toEqual([]);
    expect(asked.own.some(path => path.startsWith('//127.0.0.1:'))).toBe(true);
  },
);

it('requests the place of a finding at its own origin', async () => {
  const { asked, otherHost, host } = await twoServers(path => (path === '/' ? '<p>Welcome' : null));
  await collect(host, { openPlaces: [`${host}//${otherHost}/backup.sql`] });
  expect(asked.other).toEqual([]);
  expect(asked.own).toContain(`//${otherHost}/backup.sql`);
});

it('still requests other paths if robots.txt names some that are no URLs', async () => {
  const { asked, host } = await twoServers(path => {
    if (path === '/robots.txt') return 'Disallow: //[backup\nDisallow: //[db\nDisallow: //[sql';
    return path === '/' ? '<!doctype html><title>Shop</title><p>Welcome' : null;
  });
  const { exposure } = await collect(host);
  const probes = exposure.assessed ? exposure.value.probes : [];
  expect(asked.own).toEqual(expect.arrayContaining(['//[backup', '//[db', '//[sql']));
  expect(probes.filter(({ response }) => !response.assessed)).toEqual([]);
});

it('scans a page whose path begins with two slashes', async () => {
  const server = await running(
    httpServer((request, response) => {
      if (request.url === '/')
        response.writeHead(302, { location: `http://${request.headers.host}//[/` }).end();
      else
        response.setHeader('content-type', 'text/html').end('<!doctype html><title>Shop</title><p>Welcome');
    }),
  );
  const { methods } = await collect(`http://127.0.0.1:${server.port}`, { depth: 'full' });
  expect(methods).toMatchObject({
    value: { url: `http://127.0.0.1:${server.port}//[/`, options: { assessed: true } },
  });
});

it('proves the domain only with a file of the source, whatever its path', async () => {
  const token = 'parapet-0123456789abcdef';
  const other = await running(httpServer((_, response) => response.end(token)));
  const own = await running(httpServer((_, response) => response.writeHead(404).end()));
  const options = { guard: loopbackGuard(), signal: AbortSignal.timeout(10_000), resolveTxt: async () => [] };
  for (const path of [`//127.0.0.1:${other.port}/`, `/.//127.0.0.1:${other.port}/`]) {
    const host = `http://127.0.0.1:${own.port}${path}`;
    expect(await findDomainProof(host, token, options)).toBeNull();
    expect(proofPlaces(host).url).toBe(`http://127.0.0.1:${own.port}${challengePath}`);
  }
  expect(proofPlaces('https://example.com//[/').url).toBe(`https://example.com${challengePath}`);
});
