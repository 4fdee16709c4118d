import type { WebsiteCapture } from '../../../captures/website.ts';
import type { GoldenCase } from '../../golden-case.ts';
import {
  captureWith,
  corsProbes,
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
import { cookiesChecks } from './checks.ts';

const host = 'portal.example.com';
const cookie = (...values: string[]) => pageWith({ headers: headersWith({ 'set-cookie': values }) });
const html = (markup: string) => pageWith({ body: `<!doctype html><html><body>${markup}</body></html>` });
const all = Object.values(cookiesChecks).map(({ id }) => id);
const jwt = (header: object, signature: string) =>
  [header, { sub: 'ada' }].map(part => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.') +
  `.${signature}`;
/** The page and a response to another origin: each sets the cookie. */
const withOrigins = (name: string, [ofPage, ofOrigin]: readonly [string, string]) => {
  const headers = (value: string) => headersWith({ 'set-cookie': `${name}=${value}; Path=/; HttpOnly` });
  const page = response(home, { headers: headers(ofPage) });
  return captureWith({ https: navigation(page), page: seen(page), cors: corsProbes(headers(ofOrigin)) });
};
const plainPage = response(plainHome, { headers: [['set-cookie', 'PHPSESSID=abc; HttpOnly; SameSite=Lax']] });

export const cases: readonly GoldenCase<WebsiteCapture>[] = [
  { name: 'no cookies', capture: captureWith(), expected: [] },
  ...[
    navigation(response(plainHome, { status: 503 })),
    navigation(response(plainHome, { body: '' })),
    notSeen(),
  ].map((http, index) => ({
    name: `plain HTTP may set cookies, but has no readable page (${index})`,
    capture: captureWith({ http }),
    expected: [],
    notAssessed: all,
  })),
  {
    name: 'plain HTTP has no page',
    capture: captureWith({ http: navigation(response(plainHome, { status: 404 })) }),
    expected: [],
  },
  {
    name: 'a good session cookie',
    capture: cookie('__Host-sid=v4lu3; Path=/; Secure; HttpOnly; SameSite=Lax'),
    expected: [],
  },
  {
    name: 'a session cookie with an old Expires that its Max-Age overrides',
    capture: cookie(
      'PHPSESSID=v4lu3; Secure; SameSite=Lax; Expires=Thu, 01 Jan 1970 00:00:01 GMT; Max-Age=60',
    ),
    expected: [{ check: 'cookies.session_not_httponly', locator: `${host} PHPSESSID` }],
  },
  {
    name: 'a bare session cookie',
    capture: cookie('PHPSESSID=v4lu3; path=/'),
    expected: [
      { check: 'cookies.session_not_secure', locator: `${host} PHPSESSID` },
      { check: 'cookies.session_not_httponly', locator: `${host} PHPSESSID` },
      { check: 'cookies.session_samesite', locator: `${host} PHPSESSID` },
    ],
  },
  {
    name: 'preferences, analytics and CSRF tokens are not sessions',
    capture: cookie('theme=dark', '_ga=GA1.2.3', 'XSRF-TOKEN=abc', 'csrf_session=abc', 'cookie_consent=yes'),
    expected: [],
  },
  {
    name: 'cookies of load balancers, firewalls, bot protection, languages and shops are not sessions',
    capture: cookie(
      ...[
        '__cf_bm=a',
        '_cfuvid=a',
        'cf_clearance=a',
        'AWSALB=a',
        'AWSALBCORS=a',
        'ARRAffinity=a',
        'ak_bmsc=a',
      ],
      ...['BIGipServerpool=a', 'TS01a2b3c4=a', 'incap_ses_123_456=a', 'visid_incap_456=a', 'datadome=a'],
      ...['NEXT_LOCALE=de', 'pll_language=fr', 'django_language=de', 'MyChartLocale=en', '_shopify_y=a'],
      ...['.AspNetCore.Culture=c', 'mage-cache-sessid=true', '_fbp=fb.1', '_uetsid=a', 'ajs_anonymous_id=a'],
      ...['session_start=1', 'session_landing=home', 'auth_redirect=1', 'sb-abc-auth-token-code-verifier=a'],
    ),
    expected: [],
  },
  {
    name: 'cookies that are meant for scripts or contain part of an ID',
    capture: cookie(
      ...['KEYCLOAK_SESSION=a; Secure; SameSite=None', 'idsrv.session=a; Secure; SameSite=None'],
      ...['LastMRH_Session=0a1b2c3d; Secure', 'ai_session=a', 's_sess=a'],
    ),
    expected: [],
  },
  ...[
    ...['PHPSESSID', 'phpsessid', 'JSESSIONID', '_WL_AUTHCOOKIE_JSESSIONID', 'ASP.NET_SessionId', 'CFTOKEN'],
    ...[
      '_clinic_session',
      '_session_id',
      '_secure_session_id',
      'clinic_session',
      'appSession',
      'connect.sid',
    ],
    ...[
      'next-auth.session-token',
      'authjs.session-token.0',
      '__Secure-better-auth.session_token',
      '__session',
    ],
    ...[
      '.AspNetCore.Cookies',
      '.AspNetCore.Session',
      'FedAuth',
      'SMSESSION',
      'MRHSession',
      'AUTH_SESSION_ID',
    ],
    ...[
      'sb-abcdefghijklmnopqrst-auth-token',
      'sb-abcdefghijklmnopqrst-auth-token.1',
      'express:sess',
      'koa:sess',
    ],
    ...['wordpress_logged_in_0123456789abcdef0123456789abcdef', 'remember_user_token', 'fe_typo_user'],
    ...['wp_woocommerce_session_0123456789abcdef0123456789abcdef', '_clinic_web_key', 'MyChart_Session'],
  ].map(name => ({
    name: `a session cookie named ${name}`,
    capture: cookie(
      `${name}=v4lu3; PATH=/; SECURE; HttpOnly; SAMESITE=lax`,
      `${name}=v4lu3; Secure; samesite=Lax`,
    ),
    expected: ['cookies.session_not_httponly'],
  })),
  {
    name: 'a session cookie that is being deleted',
    capture: cookie('sid=; Path=/', 'session=x; Max-Age=0', 'auth=x; Expires=Thu, 01 Jan 1970 00:00:00 GMT'),
    expected: [],
  },
  {
    name: 'SameSite=None with Secure, and without',
    capture: cookie('sid=a; Secure; HttpOnly; SameSite=None', 'auth=a; HttpOnly; SameSite=None'),
    expected: [
      { check: 'cookies.session_not_secure', locator: `${host} auth` },
      { check: 'cookies.session_samesite', locator: `${host} auth` },
    ],
  },
  {
    name: 'generated names have a stable locator',
    capture: cookie(
      'ASPSESSIONIDQQRSTABC=a; Secure; SameSite=Lax',
      `SSESS${'0a'.repeat(16)}=a; Secure; SameSite=Lax`,
    ),
    expected: [
      { check: 'cookies.session_not_httponly', locator: `${host} ASPSESSIONID` },
      { check: 'cookies.session_not_httponly', locator: `${host} SSESS*` },
    ],
  },
  {
    name: 'set on a redirect over plain HTTP',
    capture: captureWith({
      http: navigation(
        {
          ...redirect(plainHome, home),
          headers: [
            ['location', home],
            ['set-cookie', 'sid=a; HttpOnly; SameSite=Lax'],
          ],
        },
        response(home),
      ),
    }),
    expected: ['cookies.session_not_secure'],
  },
  {
    name: 'a site without HTTPS',
    capture: captureWith({
      https: seen({ served: false, responses: [], stopped: null }),
      http: navigation(plainPage),
      page: seen(plainPage),
    }),
    expected: ['cookies.session_not_secure'],
  },
  {
    name: 'shared with the whole domain',
    capture: cookie('sid=a; Domain=.example.com; Secure; HttpOnly; SameSite=Lax'),
    expected: [{ check: 'cookies.broad_domain', locator: `${host} sid` }],
  },
  {
    name: 'a Domain attribute of the host itself',
    capture: cookie('sid=a; Domain=portal.example.com; Secure; HttpOnly; SameSite=Lax'),
    expected: [],
  },
  {
    name: 'broken prefixes',
    capture: cookie(
      '__Host-theme=a; Path=/app; Secure',
      '__Secure-lang=en',
      '__Host-lang=en; Path=/; Secure; Domain=example.com',
    ),
    expected: [
      { check: 'cookies.prefix_broken', locator: `${host} __Host-theme` },
      { check: 'cookies.prefix_broken', locator: `${host} __Secure-lang` },
      { check: 'cookies.prefix_broken', locator: `${host} __Host-lang` },
    ],
  },
  {
    name: 'a session ID in a link',
    capture: html('<a href="/chart;jsessionid=0A1B2C3D4E5F">Chart</a>'),
    expected: [{ check: 'cookies.session_in_url', locator: host }],
  },
  {
    name: 'a session ID in the query, and in the target of a form',
    capture: html(
      '<form action="/viewtopic?f=2&amp;sid=0a1b2c3d4e5f60718293a4b5c6d7e8f9" method="post"></form>',
    ),
    expected: [{ check: 'cookies.session_in_url', locator: host }],
  },
  {
    name: 'session IDs of other sites, and short parameters',
    capture: html('<a href="https://other.example/?sid=0123456789ab">x</a><a href="/list?sid=7">y</a>'),
    expected: [],
  },
  {
    name: 'sections, sessions of a conference, and a template',
    capture: html(
      '<a href="/map?sid=cardiology-and-surgery">a</a><a href="/events?sessionId=20261121">b</a><a href="/talk?session_id=keynote2026opening">c</a><a href="/paid?session_id={CHECKOUT_SESSION_ID}">d</a>',
    ),
    expected: [],
  },
  { name: 'no page', capture: captureWith({ page: notSeen() }), expected: [], notAssessed: all },
  ...[
    'role=admin',
    'is_admin=0; HttpOnly',
    'user-role=Customer; Secure',
    `user=${encodeURIComponent('{"id":42,"isAdmin":false}')}`,
    `profile=${Buffer.from('{"user":"ada","role":"editor"}').toString('base64')}; Secure`,
    `prefs=${encodeURIComponent('O:4:"User":1:{s:4:"name";s:3:"ada";}')}`,
    `state=${Buffer.from('O:4:"User":1:{s:4:"name";s:3:"ada";}').toString('base64')}`,
    'viewstate=rO0ABXNyABFqYXZhLnV0aWwuSGFzaE1hcA==',
    `ticket=${jwt({ alg: 'none' }, '')}`,
  ].map(text => ({
    name: `content that the visitor can change: ${text.slice(0, 24)}`,
    capture: cookie(text),
    expected: ['cookies.open_content'],
  })),
  {
    name: 'a name or an address of a person',
    capture: cookie('username=ada.lovelace', 'email=ada%40clinic.example', 'user_id=4711'),
    expected: ['username', 'email', 'user_id'].map(name => ({
      check: 'cookies.open_content',
      locator: `${host} ${name}`,
      severity: 'low' as const,
    })),
  },
  {
    name: 'signed, encrypted and other content',
    capture: cookie(
      ...[`ticket=${jwt({ alg: 'HS256' }, 'c2lnbmF0dXJl')}`, 'user_id=Guest', 'username=', 'role=', 'user=0'],
      ...[`prefs=${Buffer.from('{"theme":"dark","user":null}').toString('base64')}`, 'email=', 'roles=x1'],
      ...[
        `express=${Buffer.from('{"role":"admin"}').toString('base64')}`,
        'express.sig=abcdefghijklmnopqrstuvwxyz0',
      ],
      ...[
        `cart=${encodeURIComponent('{"items":[{"id":4711}],"currency":"EUR"}')}`,
        'user_type=b2b',
        'admin_bar=1',
      ],
      ...[`data=${Buffer.from('{"iv":"x","value":"y","mac":"z","role":"admin"}').toString('base64')}`],
      ...[
        `ajs_user_traits=${encodeURIComponent('{"email":"ada@clinic.example"}')}`,
        'account=free',
        'level=3',
      ],
      ...[`rails=BAh7B0kiD3Nlc3Npb25faWQGOgZF--${'0a'.repeat(20)}`, 'uid=1795262400123456789', 'login=true'],
    ),
    expected: [],
  },
  {
    name: 'a signed value under any name',
    capture: cookie(
      `portal=s%3A${'aB3dE5fG7h'.repeat(3)}.${'aB3dE5fG7h'.repeat(4)}xyz; HttpOnly; SameSite=Lax`,
    ),
    expected: [{ check: 'cookies.session_not_secure', locator: `${host} portal`, severity: 'medium' }],
  },
  {
    name: 'another random value for each request',
    capture: withOrigins('clinicapp', ['q8w7e6r5t4y3u2i1o0p9a8s7', 'z1x2c3v4b5n6m7l8k9j0h1g2']),
    expected: [
      { check: 'cookies.session_not_secure', locator: `${host} clinicapp`, severity: 'medium' },
      { check: 'cookies.session_samesite', locator: `${host} clinicapp` },
    ],
  },
  {
    name: 'the same random value for each request, as of a load balancer',
    capture: withOrigins('clinicapp', ['q8w7e6r5t4y3u2i1o0p9a8s7', 'q8w7e6r5t4y3u2i1o0p9a8s7']),
    expected: [],
  },
  {
    name: 'another random value in a cookie of a firewall, and in one of every purpose of ASP.NET Core',
    capture: withOrigins('TS01a2b3c4', ['0123456789abcdef0123456789', 'fedcba98765432100123456789']),
    expected: [],
  },
  {
    name: 'a random value that only one response sets',
    capture: cookie('clinicapp=q8w7e6r5t4y3u2i1o0p9a8s7; HttpOnly'),
    expected: [],
    notAssessed: ['cookies.session_not_secure', 'cookies.session_not_httponly', 'cookies.session_samesite'],
  },
];
