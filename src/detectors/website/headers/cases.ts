import type { WebsiteCapture } from '../../../captures/website.ts';
import type { GoldenCase } from '../../golden-case.ts';
import {
  captureWith,
  corsOrigins,
  corsProbes,
  headersWith,
  home,
  notSeen,
  pageWith,
  response,
  seen,
} from '../hardened-capture.ts';
import { headersChecks } from './checks.ts';

const origin = 'https://portal.example.com';
const headers = (changes: Parameters<typeof headersWith>[0]) => pageWith({ headers: headersWith(changes) });
const { foreign, lookalike } = corsOrigins;
const cors = (first: Parameters<typeof headersWith>[0], second: Parameters<typeof headersWith>[0] = {}) =>
  captureWith({ cors: corsProbes(headersWith(first), headersWith(second)) });
const session = 'sid=0123456789; Secure; HttpOnly; SameSite=Lax';

export const cases: readonly GoldenCase<WebsiteCapture>[] = [
  { name: 'hardened site', capture: captureWith(), expected: [] },
  {
    name: 'no restriction of framing',
    capture: headers({ 'content-security-policy': "default-src 'self'" }),
    expected: [{ check: 'headers.framing_unrestricted', locator: origin }],
  },
  {
    name: 'X-Frame-Options is enough',
    capture: headers({ 'content-security-policy': null, 'x-frame-options': 'SAMEORIGIN' }),
    expected: [],
  },
  {
    name: 'X-Frame-Options that browsers ignore',
    capture: headers({ 'content-security-policy': null, 'x-frame-options': 'ALLOW-FROM https://a.example' }),
    expected: ['headers.framing_unrestricted'],
  },
  {
    name: 'no nosniff, no referrer policy, no permissions policy',
    capture: headers({
      'x-content-type-options': null,
      'referrer-policy': null,
      'permissions-policy': null,
    }),
    expected: ['headers.nosniff_missing', 'headers.referrer_policy', 'headers.permissions_policy_missing'],
  },
  {
    name: 'referrer policy in a meta element',
    capture: pageWith({
      headers: headersWith({ 'referrer-policy': null }),
      body: '<!doctype html><meta name="referrer" content="no-referrer"><p>Hello</p>',
    }),
    expected: [],
  },
  {
    name: 'a referrer policy that sends full URLs',
    capture: headers({ 'referrer-policy': 'unsafe-url' }),
    expected: ['headers.referrer_policy'],
  },
  ...[
    ['no-referrer, unsafe-url', 'that sends full URLs'],
    ['unsafe-url, no-such-policy', 'that sends full URLs, and an unknown one'],
    ['no-such-policy', 'that is unknown'],
    ['never', 'that is valid in markup only'],
    ['no-referrer\u00a0', 'with a no-break space'],
  ].map(([policy, name]) => ({
    name: `referrer policy ${name}`,
    capture: headers({ 'referrer-policy': policy! }),
    expected: ['headers.referrer_policy'],
  })),
  {
    name: 'a known referrer policy before an unknown one',
    capture: headers({ 'referrer-policy': 'no-referrer, no-such-policy' }),
    expected: [],
  },
  {
    name: 'referrer policy in markup, which overrides the header’s',
    capture: pageWith({ body: '<!doctype html><meta name="referrer" content="always"><p>Hello</p>' }),
    expected: ['headers.referrer_policy'],
  },
  {
    name: 'isolation with invalid values',
    capture: headers({
      'cross-origin-opener-policy': 'same-origin ; report-to="a"',
      'cross-origin-resource-policy': 'same-origin, same-origin',
      'cross-origin-embedder-policy': 'yes',
    }),
    expected: [
      { check: 'headers.cross_origin_isolation', locator: `${origin} opener` },
      { check: 'headers.cross_origin_isolation', locator: `${origin} resource` },
      { check: 'headers.cross_origin_isolation', locator: `${origin} embedder` },
    ],
  },
  {
    name: 'no isolation',
    capture: headers({
      'cross-origin-opener-policy': null,
      'cross-origin-resource-policy': null,
      'cross-origin-embedder-policy': null,
    }),
    expected: [
      { check: 'headers.cross_origin_isolation', locator: `${origin} opener` },
      { check: 'headers.cross_origin_isolation', locator: `${origin} resource` },
      { check: 'headers.cross_origin_isolation', locator: `${origin} embedder` },
    ],
  },
  {
    name: 'JSON needs no document headers',
    capture: pageWith({
      headers: [
        ['content-type', 'application/json'],
        ['x-content-type-options', 'nosniff'],
      ],
      body: '{"ok":true}',
    }),
    expected: [],
    notAssessed: [
      'headers.framing_unrestricted',
      'headers.referrer_policy',
      'headers.permissions_policy_missing',
      'headers.cross_origin_isolation',
    ],
  },
  ...(
    [
      ['a redirect', { status: 302, headers: [['location', '/login']] }],
      ['an empty response', { status: 204, body: '' }],
      ['an error', { status: 503 }],
      ['another page', { body: '<title>Request Rejected</title>' }],
      ['JSON', { headers: headersWith({ 'content-type': 'application/json' }) }],
    ] as const
  ).map(([name, changes]) => ({
    name: `a request with an Origin gets ${name}`,
    capture: captureWith({
      cors: seen([
        { target: 'page', origin_kind: 'foreign', origin: foreign, response: seen(response(home, changes)) },
      ]),
    }),
    expected: [],
    notAssessed: ['cors.reflects_origin', 'cors.wildcard_credentialed'],
  })),
  {
    name: 'a server that refuses foreign origins',
    capture: captureWith({
      cors: seen([
        {
          target: 'page',
          origin_kind: 'foreign',
          origin: foreign,
          response: seen(response(home, { status: 403, body: 'Invalid CORS request' })),
        },
      ]),
    }),
    expected: [],
  },
  {
    name: 'an allowed origin that starts and ends like the site, where simpler ones are refused',
    capture: captureWith({
      cors: seen([
        {
          target: 'page',
          origin_kind: 'similar',
          origin: corsOrigins.similar,
          response: seen(
            response(home, {
              headers: headersWith({
                'access-control-allow-origin': corsOrigins.similar,
                'access-control-allow-credentials': 'true',
              }),
            }),
          ),
        },
      ]),
    }),
    expected: ['cors.reflects_origin'],
  },
  {
    name: 'a reflected foreign origin, with credentials',
    capture: cors({ 'access-control-allow-origin': foreign, 'access-control-allow-credentials': 'true' }),
    expected: [{ check: 'cors.reflects_origin', locator: `${origin} foreign` }],
  },
  {
    name: 'an allowed null origin, with credentials',
    capture: cors({}, { 'access-control-allow-origin': 'null', 'access-control-allow-credentials': 'true' }),
    expected: [{ check: 'cors.reflects_origin', locator: `${origin} null` }],
  },
  {
    name: 'an allowed origin that starts with the site’s name',
    capture: captureWith({
      cors: corsProbes(
        headersWith({}),
        headersWith({}),
        headersWith({ 'access-control-allow-origin': lookalike, 'access-control-allow-credentials': 'true' }),
      ),
    }),
    expected: [{ check: 'cors.reflects_origin', locator: `${origin} lookalike` }],
  },
  {
    name: 'X-Frame-Options and nosniff sent twice by two layers',
    capture: headers({
      'content-security-policy': null,
      'x-frame-options': ['DENY', 'DENY'],
      'x-content-type-options': 'nosniff, nosniff',
    }),
    expected: [],
  },
  {
    name: 'X-Frame-Options beside frame-ancestors that allows every site',
    capture: headers({
      'content-security-policy': "default-src 'self'; frame-ancestors *",
      'x-frame-options': 'DENY',
    }),
    expected: [{ check: 'headers.framing_unrestricted', locator: origin }],
  },
  {
    name: 'frame-ancestors that allows every site',
    capture: headers({ 'content-security-policy': "default-src 'self'; frame-ancestors 'self' *" }),
    expected: ['headers.framing_unrestricted'],
  },
  {
    name: 'frame-ancestors that allows every HTTPS site, before one that allows none',
    capture: headers({
      'content-security-policy': "default-src 'self'; frame-ancestors https://*:*; frame-ancestors 'none'",
    }),
    expected: ['headers.framing_unrestricted'],
  },
  {
    name: 'an error page',
    capture: pageWith({
      status: 404,
      headers: [['content-type', 'text/html']],
    }),
    expected: [],
    notAssessed: Object.values(headersChecks).map(({ id }) => id),
  },
  {
    name: 'a reflected origin without credentials',
    capture: cors({ 'access-control-allow-origin': foreign }),
    expected: [],
  },
  {
    name: 'an allowed fixed origin of the site itself',
    capture: cors({
      'access-control-allow-origin': 'https://app.example.com',
      'access-control-allow-credentials': 'true',
    }),
    expected: [],
  },
  {
    name: 'a wildcard on public content',
    capture: cors({ 'access-control-allow-origin': '*' }, { 'access-control-allow-origin': '*' }),
    expected: [],
  },
  {
    name: 'a wildcard on a response that sets a session',
    capture: cors({ 'access-control-allow-origin': '*', 'set-cookie': session }),
    expected: [{ check: 'cors.wildcard_credentialed', locator: origin }],
  },
  {
    name: 'a wildcard on a response to a signed-in request',
    capture: { ...cors({ 'access-control-allow-origin': '*' }), credential: 'sent' },
    expected: ['cors.wildcard_credentialed'],
  },
  {
    name: 'a session cookie on a cacheable page',
    capture: headers({ 'cache-control': 'public, max-age=600', 'set-cookie': session }),
    expected: [{ check: 'headers.cacheable_session', locator: origin }],
  },
  {
    name: 'a session cookie on a private page',
    capture: headers({ 'cache-control': 'private', 'set-cookie': session }),
    expected: [],
  },
  {
    name: 'a preference cookie on a cacheable page',
    capture: headers({ 'cache-control': null, 'set-cookie': 'theme=dark' }),
    expected: [],
  },
  {
    name: 'no media type',
    capture: headers({ 'content-type': null }),
    expected: ['headers.content_type_missing'],
  },
  {
    name: 'no character encoding',
    capture: headers({ 'content-type': 'text/html' }),
    expected: ['headers.content_type_missing'],
  },
  {
    name: 'character encoding in a meta element',
    capture: pageWith({
      headers: headersWith({ 'content-type': 'text/html' }),
      body: '<!doctype html><meta charset="utf-8"><p>Hello</p>',
    }),
    expected: [],
  },
  {
    name: 'versions and debuggers',
    capture: headers({ server: 'Apache/2.4.6', 'x-powered-by': 'PHP/5.6.40', 'x-debug-token': 'a1b2c3' }),
    expected: [
      { check: 'headers.version_banner', locator: `${origin} server` },
      { check: 'headers.version_banner', locator: `${origin} x-powered-by` },
      { check: 'headers.debug', locator: `${origin} x-debug-token` },
    ],
  },
  {
    name: 'more versions and debuggers',
    capture: headers({
      'x-generator': 'Drupal 10 (https://www.drupal.org)',
      'x-jenkins': '2.440',
      'phpdebugbar-id': 'X1',
      via: '1.1 cache1 (squid/5.7)',
    }),
    expected: [
      { check: 'headers.version_banner', locator: `${origin} x-generator` },
      { check: 'headers.version_banner', locator: `${origin} x-jenkins` },
      { check: 'headers.version_banner', locator: `${origin} via` },
      { check: 'headers.debug', locator: `${origin} phpdebugbar-id` },
    ],
  },
  {
    name: 'headers of caches and CDNs, and a disabled debugger',
    capture: headers({
      server: 'cloudflare',
      via: 'HTTP/1.1 proxy.example, 1.1 varnish, 1.1 varnish, 1.1 0a1b2c3d4e5f.cloudfront.net (CloudFront)',
      'x-cache': 'Hit from cloudfront',
      'x-served-by': 'cache-fra-etou8220123-FRA',
      'x-timer': 'S1795262400.123456,VS0,VE1',
      'x-runtime': '0.012345',
      'x-debug': '0',
    }),
    expected: [],
  },
  {
    name: 'header names of the object prototype',
    capture: headers({ constructor: 'a/1.0', tostring: 'a/1.0', valueof: 'a/1.0' }),
    expected: [],
  },
  {
    name: 'a product name without a version',
    capture: headers({ server: 'cloudflare', via: '1.1 proxy.example' }),
    expected: [],
  },
  {
    name: 'no responses',
    capture: captureWith({ page: notSeen(), cors: notSeen() }),
    expected: [],
    notAssessed: [
      'headers.framing_unrestricted',
      'headers.nosniff_missing',
      'headers.referrer_policy',
      'headers.permissions_policy_missing',
      'headers.cross_origin_isolation',
      'headers.cacheable_session',
      'headers.content_type_missing',
      'headers.version_banner',
      'headers.debug',
      'cors.reflects_origin',
      'cors.wildcard_credentialed',
    ],
  },
  {
    name: 'a probe with a foreign origin without a response',
    capture: captureWith({
      cors: seen([{ target: 'page', origin_kind: 'foreign', origin: foreign, response: notSeen() }]),
    }),
    expected: [],
    notAssessed: ['cors.reflects_origin', 'cors.wildcard_credentialed'],
  },
];
