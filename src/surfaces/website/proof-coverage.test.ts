import type { IncomingMessage } from 'node:http';
import https from 'node:https';
import { describe, expect, it } from 'vitest';
import { testCertificate } from '../../../test/support/certificates.ts';
import { authority, collect, type Handler, running } from '../../../test/support/collecting.ts';
import { findingsOf, liveScan } from '../../../test/support/live-scan.ts';
import { httpServer, httpsServer, rawServer, twoProtocolServer } from '../../../test/support/website.ts';
import { detectorsFor } from '../../detectors/catalogue.ts';
import { createTargetGuard } from '../connection/target-guard.ts';
import type { Coverage } from './coverage.ts';
import { coverageOf, type Proof } from './proof-coverage.ts';
import { parseWebsiteHost } from './target.ts';

/** Resolves every name to this machine. */
const guard = createTargetGuard({ allowlist: ['127.0.0.1'], resolve: () => Promise.resolve(['127.0.0.1']) });

const page = `<!doctype html><title>Shop</title><a href="/item?id=3">Item</a><form action="/find"><input name="q"></form>
  ${Array.from({ length: 30 }, (_, index) => `<script src="/${index}/${index}.js"></script>`).join('')}`;

const shop: Handler = (request, response) => {
  response.setHeader('content-type', 'text/html');
  const { pathname } = new URL(request.url!, 'http://shop');
  if (pathname.endsWith('.js'))
    return response.setHeader('content-type', 'text/javascript').end('let a = 1;');
  if (pathname !== '/') return response.writeHead(404).end('<p>Not here');
  response.end(page);
};

/** Redirects everything except robots.txt, which has no rules, to the same path on another host. */
const leadingTo =
  (origin: (request: IncomingMessage) => string): Handler =>
  (request, response) => {
    if (request.url === '/robots.txt') return response.writeHead(404).end();
    response.writeHead(302, { location: origin(request) + request.url }).end();
  };

/** Records requests by host with its port: the method and the URL. */
function listening() {
  const asked = new Map<string, string[]>();
  const on =
    (handler: Handler): Handler =>
    (request, response) => {
      const host = request.headers.host!;
      asked.set(host, [...(asked.get(host) ?? []), `${request.method} ${request.url}`]);
      handler(request, response);
    };
  return { on, at: (host: string) => asked.get(host) ?? [] };
}

const byRecord: Proof = { by: 'dns_txt' };
const byFile: Proof = { by: 'well_known_file', address: '127.0.0.1' };
const byBoth: Proof = { by: 'dns_txt', address: '127.0.0.1' };

const full = (host: string, proof: Proof) => collect(host, { guard, depth: 'full', proof });
/** Marked text, or a method other than GET, which safe scans never send. */
const isActive = (asked: string) => !asked.startsWith('GET ') || /%3C|%22|__schema/.test(asked);

const reason = 'The proof of the domain does not cover this host and port.';

describe('a full scan', () => {
  it.each([
    ['a sibling', 'user1.shop-example.com', 'www.shop-example.com', byBoth],
    ['the parent', 'user1.shop-example.com', 'shop-example.com', byBoth],
    ['a name below, if a file proves only the host', 'shop-example.com', 'www.shop-example.com', byFile],
    ['another port, if a file proves one server', 'shop-example.com', 'shop-example.com', byFile],
  ] as const)(
    'sends %s that it is redirected to no more requests than a safe scan',
    async (_, source, other, provenBy) => {
      const { on, at } = listening();
      const victim = await running(httpServer(on(shop)));
      const elsewhere = `${other}:${victim.port}`;
      const { port } = await running(httpServer(on(leadingTo(() => `http://${elsewhere}`))));
      const capture = await full(`http://${source}:${port}/`, provenBy);
      const byFull = at(elsewhere);
      expect(capture.page).toMatchObject({ value: { url: `http://${elsewhere}/` } });
      expect(byFull.length).toBeLessThanOrEqual(60);
      expect(byFull.filter(isActive)).toEqual(['GET /graphql?query=%7B__schema%7BqueryType%7Bname%7D%7D%7D']);
      expect(byFull.filter(asked => asked.endsWith('.js'))).toHaveLength(12);

      const { notAssessed } = findingsOf(liveScan(detectorsFor('website'), capture));
      for (const check of [
        'exposure.secrets_file',
        'exposure.source_map',
        'methods.trace_enabled',
        'methods.write_methods_offered',
        'reflection.parameter_as_markup',
      ]) {
        expect([check, notAssessed.get(check)]).toEqual([check, reason]);
      }

      const safe = listening();
      const again = await running(httpServer(safe.on(shop)));
      await collect(`http://${other}:${again.port}/`, { guard });
      // Each scan has its own random paths and origins.
      const nameless = (asked: string) => asked.replace(/\/[0-9a-f]{24}$/, '/random');
      expect(byFull.map(nameless)).toEqual(safe.at(`${other}:${again.port}`).map(nameless));
    },
  );

  it('sends all hosts that its proof does not cover together no more requests than a safe scan', async () => {
    const { on, at } = listening();
    const names = Array.from({ length: 30 }, (_, index) => `s${index}.shop-example.com`);
    const { port } = await running(
      httpServer(
        on((request, response) => {
          const isPage = request.headers.host!.startsWith('www.') && request.url === '/';
          if (!isPage) return shop(request, response);
          const scripts = names.map(name => `<script src="//${name}:${port}/a.js"></script>`).join('');
          response.setHeader('content-type', 'text/html').end(`<!doctype html>${scripts}`);
        }),
      ),
    );
    const { scripts } = await full(`http://www.shop-example.com:${port}/`, byBoth);
    const asked = names.flatMap(name => at(`${name}:${port}`));
    expect(asked.filter(one => one.endsWith('.js'))).toHaveLength(12);
    expect(asked).toHaveLength(24);
    const responses = scripts.assessed ? scripts.value.map(({ response }) => response) : [];
    expect(responses.slice(12)).toEqual(Array.from({ length: 18 }, () => ({ assessed: false, reason })));
    expect(at(`www.shop-example.com:${port}`).length).toBeGreaterThan(230);
  });

  it('sends hosts that its proof does not cover 60 requests in total', async () => {
    let others = 0;
    const { port } = await running(
      httpServer((request, response) => {
        const { host } = request.headers;
        if (host!.startsWith('www.')) {
          const scripts = Array.from(
            { length: 8 },
            (_, index) => `<script src="//${index}.${host!.slice(4)}/a.js">`,
          );
          return void response.setHeader('content-type', 'text/html').end(scripts.join('</script>'));
        }
        others += 1;
        // Each script redirects from host to host, each with its own robots.txt.
        response.writeHead(302, { location: `//x.${host}/a.js` }).end();
      }),
    );
    await full(`http://www.shop-example.com:${port}/`, byBoth);
    expect(others).toBe(60);
  });

  it.each([
    ['from the apex to www', 'shop-example.com', 'www.shop-example.com'],
    ['to another port of the host', 'shop-example.com', 'shop-example.com'],
  ])('continues if a TXT record covers the redirect %s', async (_, source, other) => {
    const { on, at } = listening();
    const leaf = authority.issue({ covers: [source, other] });
    const tls = { key: leaf.key, cert: leaf.chain };
    const site = await running(httpsServer(tls, on(shop)));
    const elsewhere = `${other}:${site.port}`;
    const { port } = await running(httpsServer(tls, on(leadingTo(() => `https://${elsewhere}`))));
    const { methods } = await full(`https://${source}:${port}/`, byRecord);
    expect(at(elsewhere).length).toBeGreaterThan(230);
    expect(at(elsewhere)).toEqual(expect.arrayContaining(['OPTIONS /', 'TRACE /']));
    expect(methods).toMatchObject({ assessed: true, value: { options: { assessed: true } } });
  });

  it.each([byRecord, byFile])(
    'continues if the host redirects plain HTTP to HTTPS, proven by $by',
    async provenBy => {
      const { on, at } = listening();
      const leaf = authority.issue({ covers: ['shop-example.com'] });
      const { port } = await running(
        twoProtocolServer(
          { key: leaf.key, cert: leaf.chain },
          on(shop),
          leadingTo(({ headers }) => `https://${headers.host}`),
        ),
      );
      const { http, methods } = await full(`shop-example.com:${port}`, provenBy);
      expect(http).toMatchObject({ value: { responses: [{ status: 302 }, { status: 200 }] } });
      expect(at(`shop-example.com:${port}`).length).toBeGreaterThan(230);
      expect(methods).toMatchObject({ assessed: true, value: { options: { assessed: true } } });
    },
  );
});

const reasons = {
  http: 'A TXT record does not cover plain HTTP. Publish the file of the proof too.',
  https: 'A TXT record covers HTTPS with a trusted certificate only. Fix the certificate.',
};

describe('a full scan of a name that a TXT record proves', () => {
  const host = 'attacker-example.com';
  const own = authority.issue({ covers: [host] });
  const others = authority.issue({ covers: ['victim-example.com'] });
  const self = testCertificate({ covers: [host] });

  it.each([
    ['plain HTTP', 'http', null],
    ['a self-signed certificate', 'https', { key: self.key, cert: self.certificate }],
    ['the certificate of another name', 'https', { key: others.key, cert: others.chain }],
  ] as const)('sends a server no more than a safe scan over %s', async (_, scheme, tls) => {
    const { on, at } = listening();
    const { port } = await running(tls === null ? httpServer(on(shop)) : httpsServer(tls, on(shop)));
    const capture = await full(`${scheme}://${host}:${port}/`, byRecord);
    const asked = at(`${host}:${port}`);
    expect(capture.page).toMatchObject({ assessed: true });
    expect(asked.length).toBeGreaterThan(30);
    expect(asked.length).toBeLessThanOrEqual(60);
    expect(asked.filter(isActive)).toEqual(['GET /graphql?query=%7B__schema%7BqueryType%7Bname%7D%7D%7D']);
    const { notAssessed } = findingsOf(liveScan(detectorsFor('website'), capture));
    for (const check of ['exposure.backup', 'methods.trace_enabled', 'reflection.parameter_as_markup']) {
      expect([check, notAssessed.get(check)]).toEqual([check, reasons[scheme]]);
    }
  });

  it('sends no more to another server that its name resolves to during the scan', async () => {
    let isMoved = false;
    let before = 0;
    const { on, at } = listening();
    const first = https.createServer({ key: own.key, cert: own.chain }, (request, response) => {
      before += 1;
      isMoved = before >= 60;
      if (isMoved) response.setHeader('connection', 'close');
      shop(request, response);
    });
    const victim = https.createServer({ key: others.key, cert: others.chain }, on(shop));
    const { port } = await running(
      rawServer(socket => (isMoved ? victim : first).emit('connection', socket)),
    );
    await full(`https://${host}:${port}/`, byRecord);
    expect(before).toBe(60);
    expect(at(`${host}:${port}`).length).toBeLessThanOrEqual(60);
    // A safe scan requests it too.
    const active = at(`${host}:${port}`).filter(isActive);
    expect(active.filter(asked => !asked.includes('__schema'))).toEqual([]);
  });

  it('detects an untrusted server in one handshake', async () => {
    let connections = 0;
    const server = https.createServer({ key: others.key, cert: others.chain }, shop);
    const { port } = await running(
      rawServer(socket => {
        connections += 1;
        server.emit('connection', socket);
      }),
    );
    const connectionsOf = async (scan: Promise<unknown>) => {
      connections = 0;
      await scan;
      return connections;
    };
    const url = `https://${host}:${port}/`;
    const ofSafe = await connectionsOf(collect(url, { guard }));
    expect(await connectionsOf(full(url, byRecord))).toBe(ofSafe + 1);
  });

  it('continues over plain HTTP if the file is published as well', async () => {
    const { on, at } = listening();
    const { port } = await running(httpServer(on(shop)));
    await full(`http://${host}:${port}/`, byBoth);
    expect(at(`${host}:${port}`).length).toBeGreaterThan(230);
  });
});

it('scans the server that served the file, even if its name now resolves to another', async () => {
  const { on, at } = listening();
  const { port } = await running(httpServer(on(shop)));
  const moved = createTargetGuard({ allowlist: ['127.0.0.0/8'], resolve: async () => ['127.0.0.2'] });
  const host = `shop-example.com:${port}`;
  const proof = { by: 'well_known_file', address: '127.0.0.1' } as const;
  const capture = await collect(`http://${host}/`, { guard: moved, depth: 'full', proof });
  expect(capture.page).toMatchObject({ assessed: true, value: { url: `http://${host}/` } });
  expect(at(host).length).toBeGreaterThan(230);
});

it('checks the address of a proof with the target guard, too', async () => {
  const proof = { by: 'well_known_file', address: '10.0.0.1' } as const;
  const scan = collect('http://shop-example.com/', { guard, depth: 'full', proof });
  await expect(scan).rejects.toMatchObject({ errorCode: 'refused_private_address' });
});

describe('a proof', () => {
  const covered = (source: string, proof: Proof, urls: readonly string[], as: Coverage = 'covered') =>
    urls.filter(url => coverageOf(proof, parseWebsiteHost(source).site, new URL(url)) === as);

  it('by a TXT record covers the host and the names below it, on every port with a trusted certificate', () => {
    const own = ['https://example.com/', 'https://example.com:8443/', 'https://www.example.com/'];
    const plain = ['http://example.com/'];
    const others = [
      'http://a.b.example.com:8080/',
      'https://com/',
      'https://badexample.com/',
      'https://example.com.evil.example/',
      'https://192.0.2.1/',
    ];
    const all = [...own, ...plain, ...others];
    for (const source of ['example.com', 'http://example.com/', 'https://example.com:8443/']) {
      expect(covered(source, byRecord, all)).toEqual([]);
      expect(covered(source, byRecord, all, 'if_trusted')).toEqual(own);
      expect(covered(source, byRecord, all, 'by_file')).toEqual(plain);
    }
    expect(covered('example.com', byBoth, all)).toEqual(['https://example.com/', 'http://example.com/']);
  });

  it('by a file covers the host on the ports of the source', () => {
    const urls = [
      'https://example.com/',
      'http://example.com/',
      'https://example.com:8443/',
      'http://example.com:8443/',
      'http://example.com:8080/',
      'https://www.example.com/',
    ];
    const of = (source: string) => covered(source, byFile, urls);
    for (const source of ['example.com', 'http://example.com/', 'https://example.com/app']) {
      expect(of(source)).toEqual(urls.slice(0, 2));
    }
    expect(of('example.com:8443')).toEqual(urls.slice(2, 4));
    expect(of('http://example.com:8080/')).toEqual([urls[4]]);
    expect(covered('[::1]:8443', byFile, ['https://[::1]:8443/', 'https://[::2]:8443/'])).toEqual([
      'https://[::1]:8443/',
    ]);
  });
});
