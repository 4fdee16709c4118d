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
  response,
  seen,
} from '../hardened-capture.ts';

const origin = 'https://portal.example.com';
const rest = "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
const csp = (...policies: string[]) =>
  pageWith({ headers: headersWith({ 'content-security-policy': policies }) });
/** The page and a response to another origin, each with a nonce. */
const withNonces = (
  [ofPage, ofOrigin]: readonly [string, string],
  more: Parameters<typeof headersWith>[0] = {},
): WebsiteCapture => {
  const headers = (nonce: string) =>
    headersWith({
      'content-security-policy': `script-src 'nonce-${nonce}' 'strict-dynamic'; ${rest}`,
      ...more,
    });
  const page = response(home, { headers: headers(ofPage) });
  return captureWith({ page: seen(page), https: navigation(page), cors: corsProbes(headers(ofOrigin)) });
};
const without = headersWith({ 'content-security-policy': null });

const all = [
  'csp.missing',
  'csp.report_only',
  'csp.unsafe_inline',
  'csp.unsafe_eval',
  'csp.broad_source',
  'csp.bypass_host',
  'csp.nonce_reused',
  'csp.missing_directive',
  'csp.invalid',
];

export const cases: readonly GoldenCase<WebsiteCapture>[] = [
  { name: 'hardened site', capture: captureWith(), expected: [] },
  {
    name: 'a strict policy with a nonce and fallbacks for old browsers',
    capture: csp(`script-src 'nonce-r4nd0mr4nd0m' 'strict-dynamic' 'unsafe-inline' https:; ${rest}`),
    expected: [],
  },
  {
    name: 'no policy',
    capture: pageWith({ headers: without }),
    expected: [{ check: 'csp.missing', locator: origin }],
  },
  ...[
    "script-src\u00a0'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    "\u00a0script-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  ].flatMap(policy => [
    {
      name: `a no-break space, which browsers do not treat as a space: ${policy.slice(0, 20)}`,
      capture: csp(policy),
      expected: ['csp.missing_directive', 'csp.invalid'],
    },
    {
      name: `the same in markup: ${policy.slice(0, 20)}`,
      capture: pageWith({
        headers: without,
        body: `<!doctype html><meta http-equiv=content-security-policy content="${policy}"><p>Hello</p>`,
      }),
      expected: ['csp.missing_directive', 'csp.invalid'],
    },
  ]),
  {
    name: 'a policy with unknown directives only',
    capture: csp("defualt-src 'none'"),
    expected: ['csp.missing', 'csp.invalid'],
  },
  {
    name: 'JSON needs no policy',
    capture: pageWith({ headers: [['content-type', 'application/json']], body: '{"ok":true}' }),
    expected: [],
    notAssessed: all,
  },
  {
    name: 'a redirect needs no policy',
    capture: pageWith({
      status: 302,
      headers: [['location', 'https://portal.example.com/x']],
      body: 'Moved',
    }),
    expected: [],
    notAssessed: all,
  },
  {
    name: 'report-only',
    capture: pageWith({
      headers: headersWith({
        'content-security-policy': null,
        'content-security-policy-report-only': "default-src 'self'",
      }),
    }),
    expected: ['csp.report_only'],
  },
  {
    name: 'inline scripts and eval',
    capture: csp(`script-src 'self' 'unsafe-inline' 'unsafe-eval'; ${rest}`),
    expected: [
      { check: 'csp.unsafe_inline', locator: `${origin} script-src 'unsafe-inline'` },
      { check: 'csp.unsafe_eval', locator: `${origin} script-src 'unsafe-eval'` },
    ],
  },
  {
    name: 'inline styles are allowed',
    capture: csp(`default-src 'self'; style-src 'self' 'unsafe-inline'; ${rest}`),
    expected: [],
  },
  {
    name: 'wildcard, bare scheme and plain HTTP',
    capture: csp(`script-src * https: http://scripts.example.net; ${rest}`),
    expected: [
      { check: 'csp.broad_source', locator: `${origin} script-src https:` },
      { check: 'csp.broad_source', locator: `${origin} script-src *` },
      { check: 'csp.broad_source', locator: `${origin} script-src http://scripts.example.net` },
    ],
  },
  {
    name: 'default-src over plain HTTP applies to scripts',
    capture: csp(`default-src 'self' http://scripts.example.net; ${rest}`),
    expected: [{ check: 'csp.broad_source', locator: `${origin} default-src http://scripts.example.net` }],
  },
  {
    name: 'broad sources of content that cannot run',
    capture: csp(
      `default-src 'self' http://media.example.net; script-src 'self'; img-src * data: http://images.example.net; connect-src https: wss: http://127.0.0.1:9222; report-uri http://reports.example.net/; ${rest}`,
    ),
    expected: [],
  },
  {
    name: 'payment, captcha and consent with paths and hosts',
    capture: csp(
      `script-src 'self' https://js.stripe.com https://www.google.com/recaptcha/ https://www.gstatic.com/recaptcha/ https://challenges.cloudflare.com https://consent.cookiebot.com 'report-sample' 'wasm-unsafe-eval'; ${rest}`,
    ),
    expected: [],
  },
  {
    name: 'a host with known bypasses',
    capture: csp(`script-src 'self' https://ajax.googleapis.com; ${rest}`),
    expected: ['csp.bypass_host'],
  },
  {
    name: 'hosts that anyone can publish to',
    capture: csp(
      `script-src 'self' https://unpkg.com *.vercel.app https://clinic.vercel.app https://unpkg.com/htmx.org@2.0.4/; ${rest}`,
    ),
    expected: [
      { check: 'csp.bypass_host', locator: `${origin} script-src https://unpkg.com` },
      { check: 'csp.bypass_host', locator: `${origin} script-src *.vercel.app` },
    ],
  },
  {
    name: 'hosts beside strict-dynamic',
    capture: csp(`script-src 'nonce-abcdefgh' 'strict-dynamic' https://unpkg.com https:; ${rest}`),
    expected: [],
  },
  {
    name: 'a nonce without quotes has a stable locator',
    capture: csp(`script-src 'self' nonce-v4lu3A1b2; ${rest}`),
    expected: [{ check: 'csp.invalid', locator: `${origin} script-src nonce-...` }],
  },
  {
    name: 'a broad default-src with a strict script-src',
    capture: csp(`default-src * data:; script-src 'self' 'trusted-types-eval'; ${rest}`),
    expected: [],
  },
  {
    name: 'missing directives without a safe default',
    capture: csp("default-src 'self'"),
    expected: [
      { check: 'csp.missing_directive', locator: `${origin} base-uri` },
      { check: 'csp.missing_directive', locator: `${origin} form-action` },
    ],
  },
  {
    name: 'X-Frame-Options instead of frame-ancestors',
    capture: pageWith({
      headers: headersWith({
        'content-security-policy': "default-src 'self'; base-uri 'none'; form-action 'self'",
        'x-frame-options': 'DENY',
      }),
    }),
    expected: [{ check: 'csp.missing_directive', locator: `${origin} frame-ancestors`, severity: 'info' }],
  },
  {
    name: 'a policy without script directives',
    capture: csp("base-uri 'none'; form-action 'self'; frame-ancestors 'none'"),
    expected: [
      { check: 'csp.missing_directive', locator: `${origin} script-src` },
      { check: 'csp.missing_directive', locator: `${origin} object-src` },
    ],
  },
  ...['upgrade-insecure-requests', "frame-ancestors 'self'; report-uri /csp"].map(policy => ({
    name: `a policy without protection of content: ${policy}`,
    capture: csp(policy),
    expected: [{ check: 'csp.missing', locator: origin }],
  })),
  {
    name: 'a second policy that compensates for the first',
    capture: csp(`script-src 'self' 'unsafe-inline'; ${rest}`, "script-src 'self'"),
    expected: [],
  },
  {
    name: 'a second policy without script directives',
    capture: csp(`script-src 'self' 'unsafe-inline'; ${rest}`, "frame-ancestors 'none'"),
    expected: ['csp.unsafe_inline'],
  },
  {
    name: 'two policies in one header',
    capture: csp(`script-src 'self' 'unsafe-inline'; ${rest}, script-src 'self'`),
    expected: [],
  },
  {
    name: 'a policy in a meta element, which cannot restrict framing',
    capture: pageWith({
      headers: without,
      body: `<!doctype html><meta http-equiv="Content-Security-Policy" content="default-src 'self'; ${rest}">`,
    }),
    expected: [],
  },
  {
    name: 'misspelled and repeated directives',
    capture: csp(`default-src 'self'; script-scr 'self'; base-uri 'self'; ${rest}`),
    expected: [
      { check: 'csp.invalid', locator: `${origin} script-scr` },
      { check: 'csp.invalid', locator: `${origin} base-uri repeated` },
    ],
  },
  {
    name: 'a source that is no URL',
    capture: csp(`default-src 'self' https:// <x> https://*.example.com:* wss: /path; ${rest}`),
    expected: [
      { check: 'csp.invalid', locator: `${origin} default-src https://` },
      { check: 'csp.invalid', locator: `${origin} default-src <x>` },
    ],
  },
  {
    name: 'names of the object prototype as directives',
    capture: csp(`default-src 'self'; __proto__ x; constructor y; ${rest}`),
    expected: [],
  },
  {
    name: 'an error page',
    capture: pageWith({ status: 404, headers: without }),
    expected: [],
    notAssessed: all,
  },
  ...(
    [
      ['the same nonce in two responses', ['aB3dE5fG7hJ9', 'aB3dE5fG7hJ9'], {}, 'medium'],
      ['the same nonce from a cache', ['aB3dE5fG7hJ9', 'aB3dE5fG7hJ9'], { age: '120' }, 'low'],
    ] as const
  ).map(([name, values, more, severity]) => ({
    name,
    capture: withNonces(values, more),
    expected: [{ check: 'csp.nonce_reused', locator: origin, ...(severity === 'low' ? { severity } : {}) }],
  })),
  {
    name: 'another nonce in each response',
    capture: withNonces(['aB3dE5fG7hJ9', 'kL2mN4pQ6rS8']),
    expected: [],
  },
  {
    name: 'a nonce in the only response',
    capture: {
      ...withNonces(['aB3dE5fG7hJ9', 'kL2mN4pQ6rS8']),
      ...{ cors: notSeen(), http: notSeen() },
    },
    expected: [],
    notAssessed: ['csp.nonce_reused'],
  },
  { name: 'no page', capture: captureWith({ page: notSeen() }), expected: [], notAssessed: all },
];
