import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HttpResponse } from '../../captures/website.ts';
import { detectorsFor } from '../catalogue.ts';
import {
  captureWith,
  exposureWith,
  headersWith,
  home,
  navigation,
  response,
  seen,
} from './hardened-capture.ts';

/** A website controls every byte that the detectors read: they must neither fail nor slow down. */

const detectors = detectorsFor('website');

function captureOf(changes: Partial<HttpResponse>) {
  const page = response(home, changes);
  const paths = [
    '/.env',
    '/.git/config',
    '/.git/HEAD',
    '/.htpasswd',
    '/id_rsa',
    '/backup.sql',
    '/crossdomain.xml',
    '/actuator',
    '/phpinfo.php',
    '/openapi.json',
    '/security.txt',
  ];
  return captureWith({
    page: seen(page),
    https: navigation(page),
    http: navigation({ ...page, url: 'http://portal.example.com/' }),
    cors: seen([
      { target: 'page', origin_kind: 'foreign', origin: 'https://a.example', response: seen(page) },
    ]),
    exposure: exposureWith(Object.fromEntries(paths.map(path => [path, { body: page.body.slice(0, 4096) }]))),
  });
}

const names = [
  'content-security-policy',
  'strict-transport-security',
  'set-cookie',
  'content-type',
  'x-frame-options',
  'referrer-policy',
  'location',
  'server',
  'www-authenticate',
  'access-control-allow-origin',
];

it('accepts any header and any body', () => {
  const header = fc.tuple(fc.constantFrom(...names), fc.string({ unit: 'binary', maxLength: 60 }));
  const markup = fc.constantFrom(
    '<a href="',
    '<form action=',
    '<meta http-equiv="Content-Security-Policy" content="',
    '<base href="',
    '">',
    'http://',
    '[',
    ';jsessionid=',
    '<script src=',
    ' ',
    '%',
    '\0',
  );
  const body = fc.array(fc.oneof(markup, fc.string({ unit: 'binary', maxLength: 10 })), { maxLength: 20 });
  const status = fc.constantFrom(200, 200, 200, 206, 301, 302, 401, 404);
  fc.assert(
    fc.property(fc.array(header, { maxLength: 8 }), body, status, (headers, parts, code) => {
      const typed = [['content-type', 'text/html'] as const, ...headers];
      const capture = captureOf({ headers: typed, body: `x${parts.join('')}`, status: code });
      for (const detector of detectors) {
        for (const { seen: sentence, locator } of detector.detect(capture).observations) {
          expect(sentence.length).toBeLessThanOrEqual(500);
          expect(locator).toMatch(/^[\x20-\x7e]{1,600}$/);
        }
      }
    }),
    { numRuns: 500 },
  );
});

describe('hostile repetition takes linear time', () => {
  const fill = (unit: string) => unit.repeat(Math.ceil((512 * 1024) / unit.length));
  it.each([
    '<',
    '<a href="?sid=',
    '<a href="x">',
    ';jsessionid=',
    '<!doctype html><script src="',
    '-----BEGIN A ',
    ' ',
    '\n',
    'A=\n',
    '<allow-access-from domain=',
    '<title>PHP 8',
    '0123456789abcdef',
    '<meta charset',
    '<link rel="stylesheet stylesheet',
  ])('body of %j', unit => {
    const capture = captureOf({ body: fill(unit) });
    const started = performance.now();
    for (const detector of detectors) detector.detect(capture);
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it.each([
    "'nonce-",
    'script-src ',
    ',',
    ';',
    "default-src 'self' 'unsafe-inline',",
    ' ',
    'frame-ancestors ',
    '__host-',
    'a=b; ',
    'max-age=1;',
    '"',
    '0a',
  ])('headers of %j', unit => {
    const value = unit.repeat(Math.ceil(32_000 / unit.length));
    const capture = captureOf({
      headers: headersWith({
        ...Object.fromEntries(names.map(name => [name, value])),
        'content-type': 'text/html',
      }),
    });
    const started = performance.now();
    for (const detector of detectors) detector.detect(capture);
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});
