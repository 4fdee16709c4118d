import type { Assessment } from '../../../captures/assessment.ts';
import type { HttpResponse, WebsiteCapture } from '../../../captures/website.ts';
import type { GoldenCase } from '../../golden-case.ts';
import {
  answering,
  captureWith,
  headersWith,
  home,
  navigation,
  notSeen,
  pageWith,
  plainHome,
  redirect,
  response,
  seen,
} from '../hardened-capture.ts';

const origin = 'https://portal.example.com';
const www = 'https://www.portal.example.com/';
const html = (markup: string) => `<!doctype html><html><body>${markup}</body></html>`;
const hsts = (value: string | null) =>
  pageWith({ headers: headersWith({ 'strict-transport-security': value }) });
/** A response without HSTS. */
const bare = (url: string) => response(url, { headers: headersWith({ 'strict-transport-security': null }) });
const strict = (value: string) => headersWith({ location: www, 'strict-transport-security': value });
const nothing = seen({ served: false, responses: [], stopped: null });
const hstsChecks = ['transport.hsts_missing', 'transport.hsts_short', 'transport.hsts_malformed'];
const redirectChecks = ['transport.no_redirect', 'transport.insecure_first_hop'];
const plainChecks = ['transport.password_over_http', 'transport.basic_auth_over_http'];
const htmlOnly: HttpResponse['headers'] = [['content-type', 'text/html; charset=utf-8']];
/** A site over plain HTTP with responses at paths. */
const plainPaths = (
  answers: Readonly<Record<string, Partial<HttpResponse>>>,
  control: Partial<HttpResponse> = {},
): WebsiteCapture => {
  const { exposure } = answering(answers, { status: 200, ...control });
  if (!exposure.assessed) throw new Error(exposure.reason);
  const toPlain = (one: Assessment<HttpResponse>): Assessment<HttpResponse> =>
    one.assessed ? seen({ ...one.value, url: one.value.url.replace('https:', 'http:') }) : one;
  const { probes, ...controls } = exposure.value;
  return captureWith({
    https: nothing,
    http: navigation(plainPage),
    page: seen(plainPage),
    exposure: seen({
      ...controls,
      origin: 'http://portal.example.com',
      control: toPlain(controls.control),
      control_after: toPlain(controls.control_after),
      probes: probes.map(probe => ({ ...probe, response: toPlain(probe.response) })),
    }),
  });
};
const plainPage = response(plainHome, { headers: [['content-type', 'text/html; charset=utf-8']] });

export const cases: readonly GoldenCase<WebsiteCapture>[] = [
  { name: 'hardened site', capture: captureWith(), expected: [] },
  {
    name: 'HTTPS only, and no plain HTTP',
    capture: captureWith({ http: nothing }),
    expected: [],
  },
  {
    name: 'plain HTTP only',
    capture: captureWith({ https: nothing, http: navigation(plainPage), page: seen(plainPage) }),
    expected: [{ check: 'transport.no_https', locator: 'portal.example.com' }],
    notAssessed: [...redirectChecks, ...hstsChecks],
  },
  {
    name: 'HTTPS redirects back to plain HTTP',
    capture: captureWith({
      https: navigation(
        response(home, { status: 302, headers: headersWith({ location: plainHome }), body: '' }),
        plainPage,
      ),
      http: navigation(plainPage),
      page: seen(plainPage),
    }),
    expected: ['transport.no_https', 'transport.no_redirect'],
  },
  {
    name: 'plain HTTP shows the page',
    capture: captureWith({ http: navigation(plainPage) }),
    expected: [{ check: 'transport.no_redirect', locator: 'http://portal.example.com' }],
  },
  {
    name: 'plain HTTP refuses without content',
    capture: captureWith({ http: navigation({ ...plainPage, status: 404 }) }),
    expected: [],
  },
  {
    name: 'plain HTTP without a response',
    capture: captureWith({ http: notSeen() }),
    expected: [],
    notAssessed: [...redirectChecks, 'transport.password_over_http', 'transport.basic_auth_over_http'],
  },
  {
    name: 'a redirect from plain HTTP that could not be followed',
    capture: captureWith({
      http: seen({
        served: true,
        responses: [redirect(plainHome, 'http://old.portal.example.com/')],
        stopped: 'unreachable',
      }),
    }),
    expected: [],
    notAssessed: [...redirectChecks, ...plainChecks],
  },
  {
    name: 'a redirect to www over plain HTTP first',
    capture: captureWith({
      http: navigation(
        redirect(plainHome, 'http://www.portal.example.com/'),
        redirect('http://www.portal.example.com/', www),
        response(www),
      ),
    }),
    expected: ['transport.insecure_first_hop'],
  },
  {
    name: 'a redirect to another site over HTTPS',
    capture: captureWith({
      http: seen({
        served: true,
        responses: [redirect(plainHome, 'https://sso.example.net/')],
        stopped: 'other_site',
      }),
    }),
    expected: [],
  },
  { name: 'no HSTS', capture: hsts(null), expected: [{ check: 'transport.hsts_missing', locator: origin }] },
  {
    name: 'an error page without HSTS',
    capture: captureWith({
      https: navigation(response(home, { status: 401, headers: [['www-authenticate', 'Basic realm="x"']] })),
    }),
    expected: [],
    notAssessed: hstsChecks,
  },
  { name: 'HSTS turned off', capture: hsts('max-age=0'), expected: ['transport.hsts_missing'] },
  { name: 'HSTS for a day', capture: hsts('max-age=86400'), expected: ['transport.hsts_short'] },
  { name: 'HSTS for half a year', capture: hsts('max-age="15768000"'), expected: [] },
  {
    name: 'HSTS without max-age',
    capture: hsts('includeSubDomains'),
    expected: ['transport.hsts_malformed'],
  },
  ...[
    'max-age=31536000; includeSubDomains=true',
    'max-age=31536000, max-age=31536000',
    'max-age=31536000 includeSubDomains',
    '"max-age=31536000"',
    'max-age="31536000',
  ].map(value => ({
    name: `HSTS that browsers ignore: ${value}`,
    capture: hsts(value),
    expected: ['transport.hsts_malformed'],
  })),
  ...['max-age=31536000; preload; preload', 'MAX-AGE=31536000;;', 'max-age = 31536000'].map(value => ({
    name: `HSTS that browsers obey: ${value}`,
    capture: hsts(value),
    expected: [],
  })),
  {
    name: 'no HSTS of a host that browsers have on their list, and of one whose parent they have',
    capture: captureWith({
      https: navigation(...['https://github.com/', 'https://status.github.com/'].map(url => bare(url))),
    }),
    expected: [
      { check: 'transport.hsts_missing', locator: 'https://github.com', severity: 'low' as const },
      { check: 'transport.hsts_missing', locator: 'https://status.github.com', severity: 'info' as const },
    ],
  },
  {
    name: 'no HSTS of www, which the first host does not cover',
    capture: captureWith({
      https: navigation({ ...redirect(home, www), headers: strict('max-age=31536000') }, bare(www)),
    }),
    expected: [{ check: 'transport.hsts_missing', locator: 'https://www.portal.example.com' }],
  },
  {
    name: 'no HSTS of www, which the first host covers',
    capture: captureWith({
      https: navigation(
        { ...redirect(home, www), headers: strict('max-age=31536000; includeSubDomains') },
        bare(www),
      ),
    }),
    expected: [],
  },
  { name: 'HSTS twice', capture: hsts('max-age=1; max-age=2'), expected: ['transport.hsts_malformed'] },
  {
    name: 'an IP address, which cannot have HSTS',
    capture: {
      ...hsts(null),
      site: { hostname: '192.0.2.10', is_address: true, path: '/', https_port: 443, http_port: 80 },
    },
    expected: [],
  },
  {
    name: 'script and image over plain HTTP',
    capture: pageWith({
      body: html(
        '<script src="http://cdn.example.net/a.js?v=1"></script><img src="http://cdn.example.net/b.png">',
      ),
    }),
    expected: [
      { check: 'transport.mixed_content', locator: `${origin} script http://cdn.example.net/a.js` },
      { check: 'transport.mixed_content', locator: `${origin} img http://cdn.example.net/b.png` },
    ],
  },
  {
    name: 'images in attributes other than src',
    capture: pageWith({
      body: html(
        '<IMG SRC=/a.png SRCSET="/b.png 1x, http://img.example.net/c.png 2x"><video poster=http://img.example.net/d.jpg></video>',
      ),
    }),
    expected: [
      { check: 'transport.mixed_content', locator: `${origin} img http://img.example.net/c.png` },
      { check: 'transport.mixed_content', locator: `${origin} video http://img.example.net/d.jpg` },
    ],
  },
  {
    name: 'a base URL over plain HTTP and relative URLs',
    capture: pageWith({
      body: '<!doctype html><head><base href="http://old.example.net/"><script src="app.3f9a1c2b.js"></script></head>',
      headers: headersWith({ 'content-security-policy': null }),
    }),
    expected: [
      { check: 'transport.mixed_content', locator: `${origin} script http://old.example.net/app.*.js` },
    ],
  },
  {
    name: 'a base URL that the policy allows',
    capture: pageWith({
      body: '<!doctype html><head><base href="https://old.example.net/"><script src="//cdn.example.net/app.js"></script></head>',
      headers: headersWith({ 'content-security-policy': "base-uri 'self' https://old.example.net" }),
    }),
    expected: [],
  },
  {
    name: 'a base URL that a policy may block, and relative URLs',
    capture: pageWith({
      body: '<!doctype html><head><base href="https://old.example.net/"><script src="//cdn.example.net/app.js"></script></head>',
    }),
    expected: [],
    notAssessed: ['transport.mixed_content', 'transport.insecure_form'],
  },
  {
    name: 'links to plain HTTP',
    capture: pageWith({
      body: html('<a href="http://example.net/">x</a><script src="//cdn.example.net/a.js"></script>'),
    }),
    expected: [],
  },
  {
    name: 'requests that browsers upgrade',
    capture: pageWith({
      body: html('<img src="http://cdn.example.net/b.png"><form action="http://example.net/"></form>'),
      headers: headersWith({ 'content-security-policy': 'upgrade-insecure-requests' }),
    }),
    expected: [],
  },
  {
    name: 'upgrade-insecure-requests as a source of another directive',
    capture: pageWith({
      body: html('<img src="http://cdn.example.net/b.png"><form action="http://example.net/"></form>'),
      headers: headersWith({ 'content-security-policy': 'default-src https: upgrade-insecure-requests' }),
    }),
    expected: ['transport.mixed_content', 'transport.insecure_form'],
  },
  {
    name: 'images that are loaded in other ways',
    capture: pageWith({
      body: html(
        '<input type=image src=http://a.example/1.png><svg><image href=http://b.example/2.png /></svg>' +
          `<img srcset="${'/a.png 1x, '.repeat(30)}http://c.example/3.png 2x">`,
      ),
    }),
    expected: ['transport.mixed_content', 'transport.mixed_content', 'transport.mixed_content'],
  },
  {
    name: 'a form that submits over plain HTTP',
    capture: pageWith({
      body: html('<form method="post" action="http://portal.example.com/save?x=1"></form>'),
    }),
    expected: [
      { check: 'transport.insecure_form', locator: `${origin} form http://portal.example.com/save` },
    ],
  },
  {
    name: 'a password field over plain HTTP',
    capture: captureWith({
      http: navigation({ ...plainPage, body: html('<input type="Password" name="p">') }),
    }),
    expected: ['transport.no_redirect', { check: 'transport.password_over_http', locator: plainHome }],
  },
  {
    name: 'a password field over plain HTTP in a response with status 401',
    capture: captureWith({
      http: navigation(
        response(plainHome, { status: 403, body: html('<INPUT TYPE=PASSWORD NAME=j_password>') }),
      ),
    }),
    expected: [{ check: 'transport.password_over_http', locator: plainHome }],
    notAssessed: [...redirectChecks, ...plainChecks],
  },
  {
    name: 'a password field over HTTPS',
    capture: pageWith({ body: html('<form action="/login"><input type="password"></form>') }),
    expected: [],
  },
  {
    name: 'Basic authentication over plain HTTP',
    capture: captureWith({
      http: navigation({ ...plainPage, status: 401, headers: [['www-authenticate', 'Basic realm="x"']] }),
    }),
    expected: [{ check: 'transport.basic_auth_over_http', locator: plainHome }],
    notAssessed: [...redirectChecks, 'transport.password_over_http'],
  },
  ...(
    [
      ['a login page', 'transport.password_over_http', { body: html('<input type="password">') }],
      [
        'a request for Basic authentication',
        'transport.basic_auth_over_http',
        { status: 401, headers: [['www-authenticate', 'Negotiate, Basic realm="x"']], body: 'Log in' },
      ],
    ] as const
  ).flatMap(([name, check, changes]) => [
    {
      name: `${name} at a path over plain HTTP`,
      capture: plainPaths({ '/phpmyadmin/': { headers: htmlOnly, ...changes } }),
      expected: ['transport.no_https', { check, locator: 'http://portal.example.com/phpmyadmin/' }],
      notAssessed: [...redirectChecks, ...hstsChecks],
    },
    {
      name: `${name} at every path over plain HTTP`,
      capture: plainPaths(
        { '/phpmyadmin/': { headers: htmlOnly, ...changes } },
        { headers: htmlOnly, ...changes },
      ),
      expected: ['transport.no_https'],
      notAssessed: [...redirectChecks, ...hstsChecks],
    },
  ]),
  {
    name: 'content of the visitor’s own machine',
    capture: pageWith({
      body: html('<img src="http://127.0.0.1:8000/a.png"><img src="http://app.localhost/b.png">'),
    }),
    expected: [],
  },
  {
    name: 'an error page',
    capture: pageWith({ status: 404 }),
    expected: [],
    notAssessed: ['transport.mixed_content', 'transport.insecure_form', 'transport.password_over_http'],
  },
  ...[400, 403, 405, 429, 500, 503].map(status => ({
    name: `plain HTTP answers with status ${status}`,
    capture: captureWith({ http: navigation({ ...plainPage, status }) }),
    expected: [],
    notAssessed: [...redirectChecks, ...plainChecks],
  })),
  {
    name: 'plain HTTP with status 404',
    capture: captureWith({ http: navigation({ ...plainPage, status: 404 }) }),
    expected: [],
  },
  {
    name: 'plain HTTP with an empty page',
    capture: captureWith({ http: navigation({ ...plainPage, body: '' }) }),
    expected: ['transport.no_redirect'],
    notAssessed: plainChecks,
  },
  {
    name: 'plain HTTP redirects to HTTPS, which fails',
    capture: captureWith({
      http: navigation(redirect(plainHome, home), response(home, { status: 503 })),
    }),
    expected: [],
  },
  {
    name: 'a TLS-only port that closes plain HTTP connections',
    capture: captureWith({ http: seen({ served: false, responses: [], stopped: 'closed' }) }),
    expected: [],
    notAssessed: [...redirectChecks, ...plainChecks],
  },
  {
    name: 'no HTTPS, and a robots.txt that denies the page over plain HTTP',
    capture: captureWith({ https: nothing, http: notSeen(), page: notSeen() }),
    expected: [],
    notAssessed: [
      'transport.no_https',
      ...redirectChecks,
      ...hstsChecks,
      'transport.mixed_content',
      'transport.insecure_form',
      ...plainChecks,
    ],
  },
  ...[403, 429, 500, 503].map(status => ({
    name: `HTTPS answers with status ${status}`,
    capture: captureWith({
      https: navigation(response(home, { status })),
      page: notSeen(`The page answers the scan with status ${status}.`),
    }),
    expected: [],
    notAssessed: [
      'transport.no_https',
      'transport.mixed_content',
      'transport.insecure_form',
      'transport.password_over_http',
    ],
  })),
  {
    name: 'HTTPS that requires a login',
    capture: captureWith({
      https: navigation(
        response(home, { status: 401, headers: headersWith({ 'www-authenticate': 'Basic' }) }),
      ),
    }),
    expected: [],
  },
  {
    name: 'a page over plain HTTP, but not over HTTPS',
    capture: captureWith({
      https: navigation(response(home, { status: 404 })),
      http: navigation(plainPage),
      page: seen(response(home, { status: 404 })),
    }),
    expected: ['transport.no_redirect'],
    notAssessed: [
      'transport.no_https',
      'transport.mixed_content',
      'transport.insecure_form',
      'transport.password_over_http',
    ],
  },
  {
    name: 'no responses',
    capture: captureWith({ https: notSeen(), http: notSeen(), page: notSeen() }),
    expected: [],
    notAssessed: [
      'transport.no_https',
      ...redirectChecks,
      ...hstsChecks,
      'transport.mixed_content',
      'transport.insecure_form',
      'transport.password_over_http',
      'transport.basic_auth_over_http',
    ],
  },
];
