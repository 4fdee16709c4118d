import type http from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { testAuthority } from '../../../test/support/certificates.ts';
import { type NameAnswer, startNameServer } from '../../../test/support/name-server.ts';
import { hasNginx, httpServer, httpsServer, startNginx } from '../../../test/support/website.ts';
import { detectorsFor } from '../../detectors/catalogue.ts';
import { createTargetGuard } from '../../surfaces/target-guard.ts';
import { collectWebsite } from '../../surfaces/website/collect.ts';
import type { WebsiteOptions } from '../../surfaces/website/session.ts';

/** From real servers to findings: what pages, forms, caches and the domain's records disclose, and good ones that do not. */

const authority = testAuthority();
const name = 'portal.clinic.com';
const leaf = authority.issue({ covers: [name] });
const guard = createTargetGuard({ allowlist: ['127.0.0.1'], resolve: () => Promise.resolve(['127.0.0.1']) });

const closing: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map(server => server.close()));
});

async function running<T extends { close(): Promise<void> }>(starting: Promise<T>): Promise<T> {
  const server = await starting;
  closing.push(server);
  return server;
}

const families = ['website.page', 'website.mail', 'website.hipaa'];
const noRecords = () => Promise.reject(Object.assign(new Error('none'), { code: 'ENODATA' }));

/** What the three families say about a site: findings, and checks that could not look. */
async function scan(
  host: string,
  records: Readonly<Record<string, NameAnswer>>,
  more: Partial<WebsiteOptions> = {},
) {
  const { address } = await running(startNameServer(records));
  const evidence = await collectWebsite(host, {
    guard,
    signal: AbortSignal.timeout(30_000),
    trustedRoots: [authority.root],
    resolveCaa: noRecords,
    nameServers: [address],
    ...more,
  });
  const detections = detectorsFor('website')
    .filter(detector => families.includes(detector.name))
    .map(detector => detector.detect(evidence));
  const tell = (locator: string) => locator.replace(/:\d+/g, '');
  return {
    seen: detections
      .flatMap(({ observations }) => observations.map(one => `${one.check} ${tell(one.locator)}`))
      .sort(),
    left: detections.flatMap(({ notAssessed }) => notAssessed.map(({ check }) => check)).sort(),
  };
}

const goodRecords: Readonly<Record<string, NameAnswer>> = {
  'clinic.com TXT': { records: [{ name: 'clinic.com', type: 'TXT', data: ['v=spf1 mx -all'] }] },
  '_dmarc.clinic.com TXT': {
    records: [{ name: '_dmarc.clinic.com', type: 'TXT', data: ['v=DMARC1; p=reject'] }],
  },
  'clinic.com MX': { records: [{ name: 'clinic.com', type: 'MX', data: ['mx.clinic.com'] }] },
  'clinic.com DS': { records: [{ name: 'clinic.com', type: 'DS' }] },
};

const footer =
  '<a href="/">Home</a><a href="/doctors">Doctors</a><a href="/contact">Contact</a><a href="/notice-of-privacy-practices">Privacy</a>';
const goodPage = `<!doctype html><html lang="en"><head><title>Portal</title><link rel="stylesheet" href="/app.css">
  <script src="/app.js" type="module"></script></head><body><img src="/img/clinic.png" alt="">
  <form method="post" action="/register"><input name="firstName"><input name="dob" type="date"><input name="ssn"></form>
  <p>A tracker such as fbq('init') would be a disclosure. Your router is at 192.168.1.1.</p>
  <a href="https://partner.org/" target="_blank">Partner</a>${footer}</body></html>`;

type Pages = Readonly<Record<string, { type?: string; body: string; headers?: http.OutgoingHttpHeaders }>>;

const serving =
  (pages: Pages, missing: { status: number; body: string }): http.RequestListener =>
  (request, response) => {
    const page = pages[request.url ?? ''];
    const headers = { 'content-type': page?.type ?? 'text/html; charset=utf-8', ...page?.headers };
    response.writeHead(page === undefined ? missing.status : 200, headers);
    response.end(page?.body ?? missing.body);
  };
const script = (body: string) => ({ type: 'text/javascript', body });
const notFound = { status: 404, body: '<!doctype html><title>Not found</title>' };
const tls = { key: leaf.key, cert: leaf.chain };

describe('Node.js', () => {
  it('finds nothing on a good site with a good domain, logged in', async () => {
    const { port } = await running(
      httpsServer(
        tls,
        serving(
          {
            '/': { body: goodPage, headers: { 'cache-control': 'no-store' } },
            '/app.js': script('export const version = "10.1.2.3"; fetch("/api/patients");'),
          },
          notFound,
        ),
      ),
    );
    const credential = { type: 'basic', username: 'scan', password: 'open sesame' } as const;
    expect(await scan(`${name}:${port}`, goodRecords, { credential })).toEqual({ seen: [], left: [] });
  });

  it('finds each disclosure of a bad one', async () => {
    const page = `<!doctype html><html><head><title>Portal</title>
      <script src="https://cdn.polyfill.io/v3/polyfill.min.js"></script>
      <link rel="stylesheet" href="https://cdn.example/a.css">
      <script>!function(f){}(window,'https://connect.facebook.net/en_US/fbevents.js');fbq('init','1');</script>
      <script async src="https://www.clarity.ms/tag/abc"></script><script src="/assets/app.js"></script>
      <!-- rendered by 10.1.20.3 --></head><body>
      <a href="https://partner.org/" target="_blank" rel="opener">Partner</a><a href="/chart?mrn=4711">Chart</a>
      <a href="/">Home</a><form method="post" action="http://forms.example/in"><input name="ssn"></form></body></html>`;
    const { port } = await running(
      httpsServer(
        tls,
        serving(
          {
            '/': { body: page },
            '/assets/app.js': script('e.src="https://www.googletagmanager.com/gtag/js?id="+t'),
          },
          {
            status: 404,
            body: '<!doctype html><title>Error</title><pre>Error: none<br> &nbsp; &nbsp;at /srv/app.js:3:1</pre>',
          },
        ),
      ),
    );
    const records: Readonly<Record<string, NameAnswer>> = {
      'clinic.com TXT': { records: [{ name: 'clinic.com', type: 'TXT', data: ['v=spf1 mx ?all'] }] },
      'clinic.com DS': { authorities: [{ name: 'com', type: 'SOA' }] },
    };
    const credential = { type: 'header', name: 'x-scan', value: 'open sesame' } as const;
    const origin = `https://${name}`;
    expect(await scan(`${name}:${port}`, records, { credential })).toEqual({
      seen: [
        `hipaa.authenticated_page_cacheable ${origin}/`,
        `hipaa.health_terms_in_url ${origin} mrn`,
        `hipaa.identity_form_insecure ${origin} form http://forms.example/in`,
        `hipaa.no_privacy_notice ${origin}`,
        `hipaa.session_replay ${origin} clarity`,
        `hipaa.tracker ${origin} meta`,
        `hipaa.tracker_in_script ${origin} google`,
        'mail.dmarc_missing clinic.com',
        'mail.dnssec_missing clinic.com',
        'mail.spf_permissive clinic.com',
        `page.error_details ${origin} node`,
        `page.no_integrity ${origin} link cdn.example`,
        `page.no_integrity ${origin} script cdn.polyfill.io`,
        `page.no_integrity ${origin} script www.clarity.ms`,
        `page.opener ${origin} partner.org`,
        `page.private_address ${origin} comment`,
        `page.taken_over_host ${origin} polyfill.io`,
      ],
      left: [],
    });
  });

  it('finds a form for patients on plain HTTP, and a domain without any record', async () => {
    const { port } = await running(httpServer(serving({ '/': { body: goodPage } }, notFound)));
    const none: Readonly<Record<string, NameAnswer>> = {
      'clinic.com DS': { authorities: [{ name: 'com', type: 'SOA' }] },
    };
    expect((await scan(`http://${name}:${port}/`, none)).seen).toEqual([
      `hipaa.identity_form_insecure http://${name} form http://${name}/register`,
      'mail.dmarc_missing clinic.com',
      'mail.dnssec_missing clinic.com',
      'mail.spf_missing clinic.com',
    ]);
  });

  it('judges no domain when its name server fails, and no page that is an error', async () => {
    const { port } = await running(httpsServer(tls, serving({}, notFound)));
    const failing = Object.fromEntries(
      ['clinic.com TXT', '_dmarc.clinic.com TXT', 'clinic.com MX', 'clinic.com DS'].map(question => [
        question,
        { code: 'servfail' } as const,
      ]),
    );
    const { seen, left } = await scan(`${name}:${port}`, failing);
    expect(seen).toEqual([]);
    const all = detectorsFor('website')
      .filter(detector => families.includes(detector.name))
      .flatMap(({ checks }) => checks.map(({ id }) => id));
    const assessed = all.filter(id => !left.includes(id));
    expect(assessed).toEqual(['page.error_details', 'page.directory_listing']);
  });
});

describe.skipIf(!hasNginx())('nginx', () => {
  const certificate = { certificate: leaf.chain, key: leaf.key };
  const page = goodPage.replace('/img/clinic.png', '/uploads/2026/clinic.png');

  it.each([
    ['lists a directory of the page when it is told to', 'autoindex on;', ['/uploads/']],
    ['lists none as it comes', '', []],
  ])('%s', async (_, setting, expected) => {
    const files = {
      'index.html': page,
      'app.js': '',
      'uploads/2026/clinic.png': '',
      'uploads/export.csv': '',
    };
    const { port } = await running(startNginx(setting, certificate, files));
    const { seen } = await scan(`${name}:${port}`, goodRecords);
    expect(seen).toEqual(expected.map(path => `page.directory_listing https://${name}${path}`));
  });

  it('finds the listing that stands in for a page, and an address in a header', async () => {
    const block = 'autoindex on; add_header X-Backend "10.0.3.17:8080" always;';
    const { port } = await running(startNginx(block, certificate, { 'export.csv': 'a' }));
    const { seen } = await scan(`${name}:${port}`, goodRecords);
    expect(seen).toEqual([
      `page.directory_listing https://${name}/`,
      `page.private_address https://${name} header x-backend`,
    ]);
  });
});
