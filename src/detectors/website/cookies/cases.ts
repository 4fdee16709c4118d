import type { WebsiteEvidence } from '../../../evidence/website.ts';
import type { GoldenCase } from '../../golden-case.ts';
import {
  evidenceWith,
  headersWith,
  home,
  navigation,
  notSeen,
  pageWith,
  plainHome,
  redirect,
  response,
  seen,
} from '../hardened-evidence.ts';

const host = 'portal.example.com';
const cookie = (...values: string[]) => pageWith({ headers: headersWith({ 'set-cookie': values }) });
const html = (markup: string) => pageWith({ body: `<!doctype html><html><body>${markup}</body></html>` });
const all = [
  'cookies.session_not_secure',
  'cookies.session_not_httponly',
  'cookies.session_samesite',
  'cookies.broad_domain',
  'cookies.prefix_broken',
  'cookies.session_in_url',
];
const plainPage = response(plainHome, { headers: [['set-cookie', 'PHPSESSID=abc; HttpOnly; SameSite=Lax']] });

export const cases: readonly GoldenCase<WebsiteEvidence>[] = [
  { name: 'no cookies', evidence: evidenceWith(), expected: [] },
  {
    name: 'a good session cookie',
    evidence: cookie('__Host-sid=v4lu3; Path=/; Secure; HttpOnly; SameSite=Lax'),
    expected: [],
  },
  {
    name: 'a bare session cookie',
    evidence: cookie('PHPSESSID=v4lu3; path=/'),
    expected: [
      { check: 'cookies.session_not_secure', locator: `${host} PHPSESSID` },
      { check: 'cookies.session_not_httponly', locator: `${host} PHPSESSID` },
      { check: 'cookies.session_samesite', locator: `${host} PHPSESSID` },
    ],
  },
  {
    name: 'preferences, analytics and tokens against forgery are no sessions',
    evidence: cookie('theme=dark', '_ga=GA1.2.3', 'XSRF-TOKEN=abc', 'csrf_session=abc', 'cookie_consent=yes'),
    expected: [],
  },
  {
    name: 'a session cookie that is being deleted',
    evidence: cookie('sid=; Path=/', 'session=x; Max-Age=0', 'auth=x; Expires=Thu, 01 Jan 1970 00:00:00 GMT'),
    expected: [],
  },
  {
    name: 'SameSite=None is fine with Secure, and useless without',
    evidence: cookie('sid=a; Secure; HttpOnly; SameSite=None', 'auth=a; HttpOnly; SameSite=None'),
    expected: [
      { check: 'cookies.session_not_secure', locator: `${host} auth` },
      { check: 'cookies.session_samesite', locator: `${host} auth` },
    ],
  },
  {
    name: 'names that change with every server keep one locator',
    evidence: cookie(
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
    evidence: evidenceWith({
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
    name: 'a site without HTTPS cannot use Secure',
    evidence: evidenceWith({
      https: seen({ served: false, responses: [], stopped: null }),
      http: navigation(plainPage),
      page: seen(plainPage),
    }),
    expected: [],
  },
  {
    name: 'shared with the whole domain',
    evidence: cookie('sid=a; Domain=.example.com; Secure; HttpOnly; SameSite=Lax'),
    expected: [{ check: 'cookies.broad_domain', locator: `${host} sid` }],
  },
  {
    name: 'the Domain of the host itself',
    evidence: cookie('sid=a; Domain=portal.example.com; Secure; HttpOnly; SameSite=Lax'),
    expected: [],
  },
  {
    name: 'broken prefixes',
    evidence: cookie(
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
    name: 'a session id in a link',
    evidence: html('<a href="/chart;jsessionid=0A1B2C3D4E5F">Chart</a>'),
    expected: [{ check: 'cookies.session_in_url', locator: host }],
  },
  {
    name: 'session ids of other sites and short parameters are not ours',
    evidence: html('<a href="https://other.example/?sid=0123456789ab">x</a><a href="/list?sid=7">y</a>'),
    expected: [],
  },
  { name: 'no page', evidence: evidenceWith({ page: notSeen() }), expected: [], notAssessed: all },
];
