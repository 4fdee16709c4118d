import { type Fields, headerCases } from './material.ts';

const strict = (value: Fields[string]) => ({ 'strict-transport-security': value });

export const hstsCases = headerCases([
  ['HSTS: missing', strict(undefined), 'transport.hsts_missing'],
  ['HSTS: max-age=0', strict('max-age=0; includeSubDomains'), 'transport.hsts_missing'],
  ['HSTS: one day', strict('max-age=86400'), 'transport.hsts_short'],
  ['HSTS: 180 days, as Cloudflare suggests', strict('max-age=15552000; includeSubDomains; preload'), null],
  ['HSTS: in quotes', strict('max-age="31536000"; includeSubDomains'), null],
  ['HSTS: in capitals, without spaces', strict('MAX-AGE=63072000;INCLUDESUBDOMAINS;PRELOAD'), null],
  ['HSTS: a semicolon at the end', strict('max-age=31536000;'), null],
  ['HSTS: an unknown directive, twice', strict('max-age=31536000; preload; preload'), null],
  ['HSTS: no max-age', strict('includeSubDomains; preload'), 'transport.hsts_malformed'],
  ['HSTS: all of it in quotes', strict('"max-age=31536000; includeSubDomains"'), 'transport.hsts_malformed'],
  [
    'HSTS: a comma instead of a semicolon',
    strict('max-age=31536000, includeSubDomains'),
    'transport.hsts_malformed',
  ],
  ['HSTS: no semicolon', strict('max-age=31536000 includeSubDomains'), 'transport.hsts_malformed'],
  ['HSTS: max-age twice', strict('max-age=31536000; max-age=31536000'), 'transport.hsts_malformed'],
  ['HSTS: a list of equal values', strict('max-age=31536000, max-age=31536000'), 'transport.hsts_malformed'],
  ['HSTS: max-age with a unit', strict('max-age=365d'), 'transport.hsts_malformed'],
  ['HSTS: negative', strict('max-age=-1'), 'transport.hsts_malformed'],
  [
    'HSTS: includeSubDomains with a value',
    strict('max-age=31536000; includeSubDomains=true'),
    'transport.hsts_malformed',
  ],
  ['HSTS: twice, of which the first counts', strict(['max-age=31536000', 'max-age=0']), null],
  ['HSTS: twice, the first one off', strict(['max-age=0', 'max-age=31536000']), 'transport.hsts_missing'],
]);

const banner = (name: string) => `headers.version_banner ${name}`;

export const bannerCases = headerCases([
  ['banner: Apache of Debian', { server: 'Apache/2.4.57 (Debian)' }, banner('server')],
  ['banner: nginx', { server: 'nginx/1.18.0 (Ubuntu)' }, banner('server')],
  [
    'banner: IIS and ASP.NET',
    { server: 'Microsoft-IIS/10.0', 'x-powered-by': 'ASP.NET', 'x-aspnet-version': '4.0.30319' },
    [banner('server'), banner('x-powered-by'), banner('x-aspnet-version')],
  ],
  ['banner: Jetty', { server: 'Jetty(9.4.51.v20230217)' }, banner('server')],
  [
    'banner: Werkzeug, the development server of Flask',
    { server: 'Werkzeug/3.0.1 Python/3.11.6' },
    banner('server'),
  ],
  ['banner: PHP', { 'x-powered-by': 'PHP/8.1.2-1ubuntu2.14' }, banner('x-powered-by')],
  ['banner: Express', { 'x-powered-by': 'Express' }, banner('x-powered-by')],
  ['banner: Varnish with its version', { via: '1.1 varnish (Varnish/7.1)' }, banner('via')],
  [
    'banner: Drupal',
    { 'x-generator': 'Drupal 10 (https://www.drupal.org)', 'x-drupal-cache': 'HIT' },
    banner('x-generator'),
  ],
  ['banner: names without versions', { server: 'nginx', via: '1.1 google, 1.1 vegur' }, null],
  [
    'banner: Cloudflare',
    { server: 'cloudflare', 'cf-ray': '8c1f2e3d4b5a6978-FRA', 'cf-cache-status': 'DYNAMIC' },
    null,
  ],
  ['banner: a load balancer of AWS, whose text nobody can change', { server: 'awselb/2.0' }, null],
  [
    'banner: Amazon CloudFront',
    {
      server: 'AmazonS3',
      via: '1.1 3f1e.cloudfront.net (CloudFront)',
      'x-amz-cf-pop': 'FRA56-P5',
      'x-cache': 'Hit from cloudfront',
    },
    null,
  ],
  [
    'banner: Fastly',
    {
      via: '1.1 varnish, 1.1 varnish',
      'x-served-by': 'cache-ams21060-AMS, cache-fra-eddf8230112-FRA',
      'x-timer': 'S1795262400.123456,VS0,VE1',
    },
    null,
  ],
  [
    'banner: Vercel',
    {
      server: 'Vercel',
      'x-vercel-id': 'fra1::iad1::x7v2k-1795262400123-0a1b2c3d4e5f',
      'x-vercel-cache': 'MISS',
    },
    null,
  ],
  [
    'debugger: Symfony',
    { 'x-debug-token': 'a1b2c3', 'x-debug-token-link': 'https://portal.clinic.com/_profiler/a1b2c3' },
    'headers.debug x-debug-token',
  ],
  [
    'debugger: Clockwork of Laravel',
    { 'x-clockwork-id': '1795262400-1234-5678', 'x-clockwork-version': '5.1' },
    ['headers.debug x-clockwork-id', 'headers.debug x-clockwork-version'],
  ],
  ['debugger: turned off', { 'x-debug': 'false' }, null],
]);

const session = 'PHPSESSID=9k3l2m1n0o9p8q7r6s5t4u3v2w; Path=/; Secure; HttpOnly; SameSite=Lax';
const caching = (control: string | undefined, more: Fields = {}) => ({
  'set-cookie': session,
  'cache-control': control,
  ...more,
});

export const contentCases = headerCases([
  ['caching: a session without Cache-Control', caching(undefined), 'headers.cacheable_session'],
  ['caching: a session in a public cache', caching('public, max-age=600'), 'headers.cacheable_session'],
  ['caching: a session that a CDN stores', caching('max-age=0, s-maxage=3600'), 'headers.cacheable_session'],
  [
    'caching: as PHP sends it',
    caching('no-store, no-cache, must-revalidate', {
      pragma: 'no-cache',
      expires: 'Thu, 19 Nov 1981 08:52:00 GMT',
    }),
    null,
  ],
  ['caching: as Laravel sends it', caching('no-cache, private'), null],
  ['caching: as Rails sends it', caching('max-age=0, private, must-revalidate'), null],
  ['caching: as Express sends files', caching('public, max-age=0'), 'headers.cacheable_session'],
  [
    'caching: a preference in a public cache',
    { 'set-cookie': 'theme=dark; Secure', 'cache-control': 'public, max-age=600' },
    null,
  ],
  ['content: no media type', { 'content-type': undefined }, 'headers.content_type_missing'],
]);
