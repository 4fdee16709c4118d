import type http from 'node:http';
import type https from 'node:https';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestCertificateOptions, testCertificate } from '../../../test/support/certificates.ts';
import { dhParameters } from '../../../test/support/dh-parameters.ts';
import { hardenedRecords, startHardenedNginx } from '../../../test/support/hardened-nginx.ts';
import {
  goodHeaders,
  goodRecords,
  goodTls,
  leaf,
  siteName as name,
  records,
} from '../../../test/support/hardened-site.ts';
import { checksMissing, type LiveScan } from '../../../test/support/live-scan.ts';
import type { NameAnswer } from '../../../test/support/name-server.ts';
import { authority, scanWebsite, type WebsiteScanOptions } from '../../../test/support/scan-website.ts';
import {
  hasNginx,
  httpServer,
  httpsServer,
  startNginx,
  type TestServer,
  twoProtocolServer,
} from '../../../test/support/website.ts';
import { detectorsFor } from '../../detectors/catalogue.ts';
import { advisoriesDate } from '../../detectors/website/libraries/advisories.ts';
import { kindOfEachCheck, planted } from '../../detectors/website/secrets/planted.ts';

/** From real servers to findings: every check fires on one of these sites, and none on the hardened one. */

interface LiveSite {
  readonly name: string;
  readonly start: () => Promise<TestServer>;
  /** As written on the source; `portal.clinic.com:port` by default. */
  readonly host?: (port: number) => string;
  /** DNS records of the domain; good ones by default. */
  readonly records?: Readonly<Record<string, NameAnswer>>;
  readonly options?: WebsiteScanOptions;
  /** All findings, as formatted by `flawsOf`. */
  readonly expected: readonly string[];
}

/** Check and locator, without the ports, which change; `~` is the site itself over HTTPS. */
function flawsOf({ observations }: LiveScan): string[] {
  return observations
    .map(
      ({ check, locator }) =>
        `${check} ${locator.replace(/:\d{4,5}/g, '').replaceAll(`https://${name}`, '~')}`,
    )
    .sort();
}

const restOfPolicy = "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
const unsigned = { 'clinic.com DS': { authorities: [{ name: 'com', type: 'SOA' }] } } as const;

const { 'content-security-policy': policy, ...others } = goodHeaders;
const triedOut = { ...others, 'content-security-policy-report-only': policy };

type Answer = Readonly<{ status?: number; headers?: http.OutgoingHttpHeaders; body?: string | Buffer }>;

/** Responses by path, with headers for all of them. Other paths return a plain 404. */
const serving =
  (
    answers: Readonly<Record<string, Answer>>,
    headers: http.OutgoingHttpHeaders = goodHeaders,
  ): http.RequestListener =>
  (request, response) => {
    const path = request.url ?? '';
    const found = answers[path] ??
      answers['*'] ?? { status: 404, body: '<!doctype html><title>Not found</title>' };
    const types = path.endsWith('.js') ? { 'content-type': 'text/javascript' } : {};
    response.writeHead(found.status ?? 200, { ...headers, ...types, ...found.headers });
    response.end(found.body ?? '');
  };
const securityTxt = { '/.well-known/security.txt': { body: 'Contact: mailto:security@clinic.com\n' } };
const redirect: http.RequestListener = (request, response) => {
  response.writeHead(301, { location: `https://${request.headers.host}${request.url}` }).end();
};
const document = (head: string, body: string) =>
  `<!doctype html><html lang="en"><head><title>Portal</title>${head}</head><body>${body}</body></html>`;
const footer =
  '<a href="/">Home</a><a href="/doctors">Doctors</a><a href="/contact">Contact</a><a href="/notice-of-privacy-practices">Privacy</a>';
const goodPage = document(
  '<link rel="stylesheet" href="/app.css"><script src="/app.js" type="module"></script>',
  `<img src="/img/clinic.png" alt="">
  <form method="post" action="/register"><input name="firstName"><input name="dob" type="date"><input name="ssn"></form>
  <p>A tracker such as fbq('init') would be a disclosure. Your router is at 192.168.1.1.</p>
  <a href="https://partner.org/" target="_blank">Partner</a>${footer}`,
);
const hello = document('', 'Hello');

/** HTTPS with its own certificate and an ordinary page. */
const withCertificate = (options: TestCertificateOptions, tls: https.ServerOptions = {}) => {
  const made = authority.issue({ covers: [name], ...options });
  return httpsServer(
    { ...goodTls, key: made.key, cert: made.chain, ...tls },
    serving({ '/': { body: hello }, ...securityTxt }),
  );
};

const sites: readonly LiveSite[] = [
  {
    name: 'a good page for patients, scanned with a login',
    start: () =>
      httpsServer(
        goodTls,
        serving({
          '/': { body: goodPage, headers: { 'cache-control': 'no-store' } },
          '/app.js': { body: 'export const version = "10.1.2.3"; fetch("/api/patients");' },
          ...securityTxt,
        }),
      ),
    options: { credential: { type: 'basic', username: 'scan', password: 'open sesame' } },
    expected: [],
  },
  {
    name: 'a friendly page for every path',
    start: () =>
      httpsServer(
        goodTls,
        serving({ '*': { body: hello.replace('Hello', 'Nothing at /.env. DB_PASSWORD=x [core] PK') } }),
      ),
    expected: ['exposure.security_txt_missing ~'],
  },
  {
    name: 'an API that answers JSON, which needs nothing that documents need',
    start: () =>
      httpsServer(
        goodTls,
        serving(
          { '*': { body: '{"ok":true}' } },
          {
            'content-type': 'application/json',
            'x-content-type-options': 'nosniff',
            'strict-transport-security': 'max-age=63072000',
          },
        ),
      ),
    expected: ['exposure.security_txt_missing ~'],
  },
  {
    name: 'plain HTTP on an IP address',
    start: () => httpServer(serving({ '/': { body: hello }, ...securityTxt })),
    host: port => `http://127.0.0.1:${port}/`,
    expected: ['transport.no_https 127.0.0.1'],
  },
  {
    name: 'a form for patients on plain HTTP, and a domain without any record',
    start: () => httpServer(serving({ '/': { body: goodPage }, '/app.js': {}, ...securityTxt })),
    host: port => `http://${name}:${port}/`,
    records: unsigned,
    expected: [
      `hipaa.identity_form_insecure http://${name} form http://${name}/register`,
      'mail.dmarc_missing clinic.com',
      'mail.dnssec_missing clinic.com',
      'mail.spf_missing clinic.com',
      `tls.no_caa ${name}`,
      `transport.no_https ${name}`,
    ],
  },
  {
    name: 'a page that shares its patients with third parties',
    start: () => {
      const page = document(
        `<script src="https://cdn.polyfill.io/v3/polyfill.min.js"></script>
        <link rel="stylesheet" href="https://cdn.example/a.css">
        <script>!function(f){}(window,'https://connect.facebook.net/en_US/fbevents.js');fbq('init','1');</script>
        <script async src="https://www.clarity.ms/tag/abc"></script><script src="/assets/app.js"></script>
        <!-- rendered by 10.1.20.3 -->`,
        `<a href="https://partner.org/" target="_blank" rel="opener">Partner</a><a href="/chart?mrn=4711">Chart</a>
        <a href="/">Home</a><form method="post" action="http://forms.example/in"><input name="ssn"></form>`,
      );
      const trace =
        '<!doctype html><title>Error</title><pre>Error: none<br> &nbsp; &nbsp;at /srv/app.js:3:1</pre>';
      return httpsServer(
        goodTls,
        serving({
          '/': { body: page },
          '/assets/app.js': { body: 'e.src="https://www.googletagmanager.com/gtag/js?id="+t' },
          '*': { status: 404, body: trace },
          ...securityTxt,
        }),
      );
    },
    options: { credential: { type: 'header', name: 'x-scan', value: 'open sesame' } },
    records: { ...goodRecords, ...records('TXT', 'clinic.com', 'v=spf1 mx ?all') },
    expected: [
      'hipaa.authenticated_page_cacheable ~/',
      'hipaa.health_terms_in_url ~ mrn',
      'hipaa.identity_form_insecure ~ form http://forms.example/in',
      'hipaa.no_privacy_notice ~',
      'hipaa.session_replay ~ clarity',
      'hipaa.tracker ~ meta',
      'hipaa.tracker_in_script ~ google',
      'mail.spf_permissive clinic.com',
      'page.error_details ~ node',
      'page.no_integrity ~ link cdn.example',
      'page.no_integrity ~ script cdn.polyfill.io',
      'page.no_integrity ~ script www.clarity.ms',
      'page.opener ~ partner.org',
      'page.private_address ~ comment',
      'page.taken_over_host ~ polyfill.io',
      'transport.insecure_form ~ form http://forms.example/in',
    ],
  },
  {
    name: 'an application with old habits, on a server with old versions',
    start: () => {
      const page = document(
        '<script src="http://cdn.clinic.com/x.js"></script><script src="/assets/portal.js"></script>',
        '<a href="/results;jsessionid=8F3A5C7E9B1D2F46">Results</a><form method="post"><input type="password" name="password"></form>',
      );
      const made = authority.issue({ covers: [name], key: 'rsa2048' });
      const handler = serving(
        {
          '/': { body: page },
          '/assets/portal.js': { body: '"use strict";' },
          '/assets/portal.js.map': { body: '{"version":3,"sources":["a.ts"],"mappings":"AAAA"}' },
          '/actuator': { body: '{"_links":{"env":{"href":"/actuator/env"}}}' },
          '/phpinfo.php': { body: '<!doctype html><title>PHP 8.2.7 - phpinfo()</title>' },
          '/.DS_Store': { body: Buffer.from('\0\0\0\x01Bud1\0\0\0\0', 'latin1') },
          '/crossdomain.xml': {
            body: '<cross-domain-policy><allow-access-from domain="*"/></cross-domain-policy>',
          },
          '/graphql?query=%7B__schema%7BqueryType%7Bname%7D%7D%7D': {
            body: '{"data":{"__schema":{"queryType":{"name":"Query"}}}}',
          },
          '/openapi.json': { body: '{"openapi":"3.0.3","info":{},"paths":{}}' },
        },
        {
          'content-type': 'text/html',
          'content-security-policy':
            "default-src *; script-src * 'unsafe-inline' 'unsafe-eval'; script-sources x",
          'set-cookie': [
            'PHPSESSID=value; Path=/; Domain=clinic.com',
            '__Host-locale=en; Path=/portal; Secure',
          ],
          'x-powered-by': 'PHP/7.2.24',
          'x-debug-token': 'c0ffee',
        },
      );
      const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.2', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
      return twoProtocolServer({ key: made.key, cert: made.chain, ...old }, handler, handler);
    },
    expected: [
      `cookies.broad_domain ${name} PHPSESSID`,
      `cookies.prefix_broken ${name} __Host-locale`,
      `cookies.session_in_url ${name}`,
      `cookies.session_not_httponly ${name} PHPSESSID`,
      `cookies.session_not_secure ${name} PHPSESSID`,
      `cookies.session_samesite ${name} PHPSESSID`,
      'csp.broad_source ~ script-src *',
      'csp.invalid ~ script-sources',
      'csp.missing_directive ~ base-uri',
      'csp.missing_directive ~ form-action',
      "csp.unsafe_eval ~ script-src 'unsafe-eval'",
      "csp.unsafe_inline ~ script-src 'unsafe-inline'",
      'exposure.actuator ~/actuator',
      'exposure.api_documentation ~/openapi.json',
      'exposure.crossdomain ~/crossdomain.xml',
      'exposure.ds_store ~/.DS_Store',
      'exposure.graphql_introspection ~/graphql',
      'exposure.phpinfo ~/phpinfo.php',
      'exposure.security_txt_missing ~',
      'exposure.source_map ~ source map',
      'headers.cacheable_session ~',
      'headers.content_type_missing ~',
      'headers.cross_origin_isolation ~ embedder',
      'headers.cross_origin_isolation ~ opener',
      'headers.cross_origin_isolation ~ resource',
      'headers.debug ~ x-debug-token',
      'headers.framing_unrestricted ~',
      'headers.nosniff_missing ~',
      'headers.permissions_policy_missing ~',
      'headers.referrer_policy ~',
      'headers.version_banner ~ x-powered-by',
      'tls.legacy_protocol ~ TLSv1',
      'tls.legacy_protocol ~ TLSv1.1',
      'tls.no_tls13 ~',
      'tls.weak_cipher ~ RSA key transport',
      'transport.hsts_missing ~',
      'transport.mixed_content ~ script http://cdn.clinic.com/x.js',
      `transport.no_redirect http://${name}`,
      `transport.password_over_http http://${name}/`,
    ],
  },
  {
    name: 'a blog with forgotten files and tools',
    start: () =>
      httpsServer(
        goodTls,
        serving({
          '/': {
            body: document(
              '<meta name="generator" content="WordPress 6.4.2"><link rel="stylesheet" href="/wp-content/a.css">',
              `Hello${footer}`,
            ),
          },
          '/wp-admin/install.php': {
            body: '<!doctype html><title>WordPress &rsaquo; Installation</title><form id="setup"><input name="weblog_title"></form>',
          },
          '/wp-json/wp/v2/users': { body: '[{"id":1,"name":"ada","slug":"ada","avatar_urls":{}}]' },
          '/xmlrpc.php': { status: 405, body: 'XML-RPC server accepts POST requests only.' },
          '/wp-content/debug.log': {
            body: '[20-Nov-2026 10:00:00 UTC] PHP Warning: Undefined\n[20-Nov-2026 10:00:01 UTC] PHP Notice: Again\n',
          },
          '/index.php~': { body: '<?php require "wp-blog-header.php";' },
          '/phpmyadmin/': { body: '<!doctype html><title>phpMyAdmin</title><input name="pma_username">' },
          '/composer.json': { body: '{"require":{"php":">=8"}}' },
          '/.bash_history': { body: 'cd /var/www\nsudo service apache2 restart\n' },
          ...securityTxt,
        }),
      ),
    expected: [
      'exposure.database_console ~/phpmyadmin/',
      'exposure.development_file ~/composer.json',
      'exposure.installer ~/wp-admin/install.php',
      'exposure.log_file ~/wp-content/debug.log',
      'exposure.shell_history ~/.bash_history',
      'exposure.source_copy ~/index.php~',
      'exposure.user_list ~/wp-json/wp/v2/users',
      'exposure.version_shown ~/',
      'exposure.xml_rpc ~/xmlrpc.php',
    ],
  },
  {
    name: 'a new application with the tools of its developers',
    start: () =>
      httpsServer(
        goodTls,
        serving({
          '/': {
            body:
              document('', 'Laravel').replace('<title>Portal', '<title>Laravel') +
              '<a href="https://laravel.com/docs">Documentation</a><a href="https://laracasts.com">Laracasts</a>',
            headers: { 'set-cookie': 'XSRF-TOKEN=abc; Secure; SameSite=Lax' },
          },
          '/horizon': { body: '<!doctype html><title>Horizon</title><script>window.Horizon = {}</script>' },
          '/telescope': { body: '<!doctype html><title>Telescope</title><div id="telescope"></div>' },
          '/metrics': { body: '# TYPE up gauge\nup 1\n' },
          ...securityTxt,
        }),
      ),
    expected: [
      'exposure.admin_console ~/horizon',
      'exposure.debugger ~/telescope',
      'exposure.default_page ~/',
      'exposure.metrics ~/metrics',
    ],
  },
  {
    name: 'an application that trusts its parameters, in a full scan',
    start: () =>
      httpsServer(goodTls, (request, response) => {
        const { pathname, searchParams } = new URL(request.url!, 'https://site.example');
        const value = searchParams.get('v') ?? searchParams.get('next') ?? '';
        const links = ['sql?v=1', 'out?next=/', 'file?v=a/b', 'hello?v=you']
          .map(link => `<a href="/${link}">Link</a>`)
          .join('');
        const quotes = value.replaceAll(`''`, '').replaceAll('""', '');
        const answers: Record<string, Answer> = {
          '/': { body: document('', links + footer) },
          '/sql': { body: quotes.includes("'") ? 'SQLITE_ERROR: unrecognized token: "\'"' : 'None' },
          '/out': /^https?:/.test(value) ? { status: 302, headers: { location: value } } : { body: 'Stay' },
          '/file': {
            body: value.endsWith('../etc/passwd') ? 'root:x:0:0:root:/root:/bin/sh\n' : 'No such file',
          },
          '/hello': {
            body: value.replace(/\{\{(\d+)\*(\d+)\}\}/, (_, a, b) => String(Number(a) * Number(b))),
          },
        };
        const text = {
          'content-type': pathname === '/' ? 'text/html; charset=utf-8' : 'text/plain; charset=utf-8',
        };
        const answer = answers[pathname];
        if (answer === undefined) return serving(securityTxt)(request, response);
        response.writeHead(answer.status ?? 200, { ...goodHeaders, ...text, ...answer.headers });
        response.end(answer.body ?? '');
      }),
    options: { depth: 'full' },
    expected: [
      'injection.file_path ~/file parameter v',
      'injection.open_redirect ~/out parameter next',
      'injection.sql ~/sql parameter v',
      'injection.template ~/hello parameter v',
    ],
  },
  {
    name: 'an indirect redirect to HTTPS, and report-only policies',
    start: () =>
      twoProtocolServer(
        goodTls,
        serving(
          { '/': { body: hello }, '/home': { body: hello }, ...securityTxt },
          { ...triedOut, 'strict-transport-security': 'max-age=a-year' },
        ),
        (request, response) => {
          const { host } = request.headers;
          const location = request.url === '/' ? `http://${host}/home` : `https://${host}/home`;
          response.writeHead(302, { location }).end();
        },
      ),
    records: { ...goodRecords, ...records('TXT', '_dmarc.clinic.com', 'v=DMARC1; p=none') },
    expected: [
      'csp.report_only ~',
      'headers.framing_unrestricted ~',
      'mail.dmarc_none clinic.com',
      'transport.hsts_malformed ~',
      `transport.insecure_first_hop http://${name}`,
    ],
  },
  {
    name: 'an unencrypted login next to a good site',
    start: () =>
      twoProtocolServer(goodTls, serving({ '/': { body: hello }, ...securityTxt }), (_, response) => {
        response.writeHead(401, { 'www-authenticate': 'Basic realm="staff"' }).end();
      }),
    records: {
      ...goodRecords,
      'clinic.com TXT': {
        records: ['v=spf1 mx -all', 'v=spf1 include:mail.example -all'].map(text => ({
          name: 'clinic.com',
          type: 'TXT',
          data: [text],
        })),
      },
    },
    expected: ['mail.spf_broken clinic.com', `transport.basic_auth_over_http http://${name}/`],
  },
  {
    name: 'a policy that trusts a whole network of scripts, and content shared with every origin',
    start: () =>
      twoProtocolServer(
        { ...goodTls, cert: leaf.certificate },
        serving(
          { '/': { body: hello }, ...securityTxt },
          {
            ...goodHeaders,
            'content-security-policy':
              "default-src 'self'; script-src 'self' https://ajax.googleapis.com; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
            'access-control-allow-origin': '*',
            'access-control-allow-credentials': 'true',
          },
        ),
        redirect,
      ),
    expected: [
      'cors.wildcard_credentialed ~',
      'csp.bypass_host ~ script-src https://ajax.googleapis.com',
      'tls.chain_incomplete ~',
    ],
  },
  {
    name: 'a certificate of tomorrow',
    start: () => withCertificate({ fromDay: 1 }),
    expected: ['tls.certificate_not_yet_valid ~'],
  },
  {
    name: 'a certificate that ends next week',
    start: () => withCertificate({ fromDay: -80, toDay: 7 }),
    expected: ['tls.certificate_expiring ~'],
  },
  {
    name: 'a certificate of another age',
    start: () => withCertificate({ key: 'rsa1024', hash: 'sha1' }, { ciphers: 'ECDHE+AESGCM@SECLEVEL=0' }),
    expected: ['tls.weak_key ~ certificate', 'tls.weak_signature ~ certificate'],
  },
  {
    name: 'a public certificate that is in no log, and requires a response that the server does not send',
    start: () => withCertificate({ mustStaple: true }),
    options: { publicRoots: [authority.root] },
    expected: ['tls.not_logged ~', 'tls.staple_missing ~'],
  },
  {
    name: 'a policy with the same nonce in every response',
    start: () =>
      httpsServer(
        goodTls,
        serving(
          { '/': { body: hello }, ...securityTxt },
          {
            ...goodHeaders,
            'content-security-policy': `script-src 'nonce-aB3dE5fG7hJ9kL2m'; ${restOfPolicy}`,
          },
        ),
      ),
    expected: ['csp.nonce_reused ~'],
  },
  {
    name: 'a small Diffie-Hellman group, and cookies that visitors can change',
    start: () => {
      const made = authority.issue({ covers: [name], key: 'rsa2048' });
      const ciphers = 'ECDHE+AESGCM:DHE+AESGCM:@SECLEVEL=0';
      const headers = { ...goodHeaders, 'set-cookie': ['role=guest; Secure; HttpOnly; SameSite=Lax'] };
      return httpsServer(
        { key: made.key, cert: made.chain, ciphers, dhparam: dhParameters('modp2') },
        serving({ '/': { body: hello }, ...securityTxt }, headers),
      );
    },
    expected: [`cookies.open_content ${name} role`, 'tls.weak_dh_group ~'],
  },
  {
    name: 'secrets and old libraries in its scripts',
    start: () =>
      httpsServer(
        goodTls,
        serving({
          '/': {
            body: document(
              '<script src="/assets/app.js"></script><script src="/assets/jquery.js"></script>',
              footer,
            ),
          },
          '/assets/app.js': {
            body: Object.keys(kindOfEachCheck)
              .map(kind => planted[kind]!.text)
              .join('\n'),
          },
          '/assets/jquery.js': {
            body: '/*! jQuery v1.12.4 | (c) jQuery Foundation */\n!function(e,t){}(window);',
          },
          ...securityTxt,
        }),
      ),
    expected: [
      ...Object.entries(kindOfEachCheck).map(([kind, check]) => `${check} ${kind} ~/assets/app.js`),
      'libraries.end_of_life ~ jquery@1',
      'libraries.vulnerable ~ jquery@1',
    ],
  },
  {
    name: 'a good site, scanned by a Parapet from two years ago',
    start: () => withCertificate({ toDay: 3_650 }),
    options: { at: new Date(Date.parse(advisoriesDate) + 2 * 366 * 86_400_000) },
    expected: ['libraries.database_outdated advisories'],
  },
  {
    name: 'an application that reflects its input, and a server that claims to store files',
    start: () => {
      const page = document('', `<form action="/find"><input name="term"></form>${footer}`);
      const answers = serving({ '/': { body: page }, ...securityTxt });
      return httpsServer(goodTls, (request, response) => {
        const { pathname, searchParams } = new URL(request.url ?? '', 'https://here');
        if (request.method === 'TRACE') response.end(request.rawHeaders.join('\n'));
        else if (request.method === 'OPTIONS') response.setHeader('allow', 'GET, PUT, MKCOL, COPY').end();
        else if (pathname !== '/find') answers(request, response);
        else
          response
            .writeHead(200, goodHeaders)
            .end(`<!doctype html><p>Nothing for ${searchParams.get('term')}`);
      });
    },
    options: { depth: 'full' },
    expected: [
      'methods.trace_enabled ~',
      'methods.write_methods_offered ~/',
      'reflection.parameter_as_markup ~/find parameter term',
    ],
  },
];

const onNginx = (
  block: string,
  files: Readonly<Record<string, string>>,
  certificate = leaf.chain,
  key = leaf.key,
) => startNginx(`charset utf-8; ${block}`, { certificate, key }, files);
const carefully = [
  'server_tokens off; ssl_protocols TLSv1.2 TLSv1.3; ssl_ciphers ECDHE+AESGCM:ECDHE+CHACHA20;',
  ...Object.entries(goodHeaders)
    .filter(([header]) => header !== 'content-type')
    .map(([header, value]) => `add_header ${header} "${value}" always;`),
].join(' ');
const goodFiles = {
  'index.html': goodPage.replace('/img/clinic.png', '/uploads/2026/clinic.png'),
  'app.js': '',
  'uploads/2026/clinic.png': '',
  'uploads/export.csv': '',
  '.well-known/security.txt': securityTxt['/.well-known/security.txt'].body,
};

const nginxSites: readonly LiveSite[] = [
  {
    name: 'a folder of uploads that is not listed',
    start: () => onNginx(carefully, goodFiles),
    expected: [],
  },
  {
    name: 'a folder of uploads that is listed',
    start: () => onNginx(`${carefully} autoindex on;`, goodFiles),
    expected: ['page.directory_listing ~/uploads/'],
  },
  {
    name: 'a listing instead of a page, and an address in a header',
    start: () =>
      onNginx(`${carefully} autoindex on; add_header X-Backend "10.0.3.17:8080" always;`, {
        'export.csv': 'a',
        '.well-known/security.txt': goodFiles['.well-known/security.txt'],
      }),
    expected: ['page.directory_listing ~/', 'page.private_address ~ header x-backend'],
  },
  {
    name: 'a neglected site',
    start: () => {
      const old = testCertificate({ covers: ['old.example'], key: 'rsa2048', fromDay: -400, toDay: -35 });
      const page = hello.replace('</body>', '<script src="http://cdn.example/x.js"></script></body>');
      return onNginx(
        `ssl_protocols TLSv1 TLSv1.1 TLSv1.2; ssl_ciphers ALL@SECLEVEL=0; autoindex on;
         add_header Access-Control-Allow-Origin $http_origin; add_header Access-Control-Allow-Credentials true;
         add_header Set-Cookie "PHPSESSID=abc; path=/"; add_header Strict-Transport-Security "max-age=600";
         location = /nginx_status { default_type text/plain; return 200 "Active connections: 1 \\nserver accepts"; }`,
        {
          'index.html': page,
          '.env': 'DB_PASSWORD=hunter2\n',
          '.git/config': '[core]\n\tbare = false\n',
          'backup.sql': 'CREATE TABLE patients (id int);\n',
        },
        old.certificate,
        old.key,
      );
    },
    expected: [
      `cookies.session_not_httponly ${name} PHPSESSID`,
      `cookies.session_not_secure ${name} PHPSESSID`,
      `cookies.session_samesite ${name} PHPSESSID`,
      'cors.reflects_origin ~ foreign',
      'cors.reflects_origin ~ null',
      'csp.missing ~',
      'exposure.backup ~/backup.sql',
      'exposure.secrets_file ~/.env',
      'exposure.security_txt_missing ~',
      'exposure.server_status ~/nginx_status',
      'exposure.version_control ~/.git/',
      'headers.cacheable_session ~',
      'headers.cross_origin_isolation ~ embedder',
      'headers.cross_origin_isolation ~ opener',
      'headers.cross_origin_isolation ~ resource',
      'headers.framing_unrestricted ~',
      'headers.nosniff_missing ~',
      'headers.permissions_policy_missing ~',
      'headers.referrer_policy ~',
      'headers.version_banner ~ server',
      'page.no_integrity ~ script cdn.example',
      'tls.certificate_expired ~',
      'tls.certificate_untrusted ~',
      'tls.legacy_protocol ~ TLSv1',
      'tls.legacy_protocol ~ TLSv1.1',
      'tls.name_mismatch ~',
      'tls.no_tls13 ~',
      'tls.weak_cipher ~ RSA key transport',
      'tls.weak_cipher ~ TLS_ECDH_anon_WITH_AES_128_CBC_SHA',
      'tls.weak_cipher ~ TLS_ECDH_anon_WITH_AES_256_CBC_SHA',
      'transport.hsts_short ~',
      'transport.mixed_content ~ script http://cdn.example/x.js',
    ],
  },
];

async function scan({ start, host, records = goodRecords, options }: LiveSite): Promise<LiveScan> {
  const server = await start();
  try {
    return await scanWebsite(host?.(server.port) ?? `${name}:${server.port}`, records, options);
  } finally {
    await server.close();
  }
}

const hasServer = hasNginx();

describe('exactly the flaws of', () => {
  it.each(sites)('$name', async site => {
    const seen = await scan(site);
    expect(flawsOf(seen)).toEqual([...site.expected].sort());
    for (const { secret } of Object.values(planted)) expect(JSON.stringify(seen)).not.toContain(secret);
  });
  it.skipIf(!hasServer).each(nginxSites)('nginx with $name', async site => {
    const seen = await scan(site);
    expect(flawsOf(seen)).toEqual([...site.expected].sort());
    expect(JSON.stringify(seen)).not.toContain('hunter2');
  });
});

it('shows every check firing somewhere', () => {
  const expected = [...sites, ...nginxSites].flatMap(site => site.expected);
  expect(checksMissing('website', expected)).toEqual([]);
});

/** Checks of software that a site does not show. */
const ofOtherSoftware = ['exposure.user_list', 'exposure.xml_rpc'];

describe.skipIf(!hasServer)('the hardened nginx of the examples', () => {
  const certificate = authority.issue({ covers: ['www.example.com'] });
  let server: TestServer;
  beforeAll(async () => {
    server = await startHardenedNginx(certificate);
  });
  afterAll(() => server?.close());

  it('has no findings, and is completely assessed', async () => {
    const host = `www.example.com:${server.port}`;
    const { observations, notAssessed } = await scanWebsite(host, await hardenedRecords());
    expect(observations).toEqual([]);
    // This page has no login; the next test uses the login page.
    expect(notAssessed.map(({ check }) => check)).toEqual([
      ...ofOtherSoftware,
      'hipaa.authenticated_page_cacheable',
    ]);
  });

  it('starts a login securely, with every check of any scan assessed', async () => {
    const credential = { type: 'basic', username: 'scan', password: 'open sesame' } as const;
    const host = `https://www.example.com:${server.port}/login`;
    expect(await scanWebsite(host, await hardenedRecords(), { credential, depth: 'full' })).toEqual({
      observations: [],
      notAssessed: [],
    });
  });
});

it('assesses no domain if its name server fails, and no page that is an error', async () => {
  const failing = Object.fromEntries(
    Object.keys(goodRecords).map(question => [question, { code: 'servfail' } as const]),
  );
  const start = () => httpsServer(goodTls, serving(securityTxt));
  const seen = await scan({ name: 'an error', start, records: failing, expected: [] });
  expect(seen.observations).toEqual([]);
  const families = ['website.page', 'website.mail', 'website.hipaa'];
  const left = seen.notAssessed.map(({ check }) => check);
  const assessed = detectorsFor('website')
    .filter(detector => families.includes(detector.name))
    .flatMap(({ checks }) => checks.map(({ id }) => id))
    .filter(id => !left.includes(id));
  expect(assessed).toEqual(['page.directory_listing']);
});
