import { describe, expect, it } from 'vitest';
import { type Bound, superlinear } from '../../../test/support/growth.ts';
import type { HttpResponse, WebsiteCapture } from '../../captures/website.ts';
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
import { librariesInScript } from './libraries/find-in-script.ts';
import { librariesInUrl } from './libraries/find-in-url.ts';
import { signatures } from './libraries/signatures.ts';
import { scriptPlace } from './script-place.ts';
import { findSecrets, secretRules } from './secrets/find-secrets.ts';
import { hiddenTexts } from './secrets/reveal.ts';

const kilobyte = 1024;
const megabyte = 1024 * kilobyte;

function expectLinear(work: (share: number) => () => void, bound: Bound): void {
  expect(superlinear(work, bound)).toBe(undefined);
}

const fill = (unit: string, length: number) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length);

/** Half of the surface's limits: a page of 1 MB, scripts of 2.5 MB in total. */
function captureOf(unit: string, share: number): WebsiteCapture {
  const page = response(home, {
    headers: headersWith({ 'content-type': 'text/html' }),
    body: fill(unit, megabyte * share),
  });
  const scripts = [1, 1, 0.5].map((size, index) => {
    const url = `${home}${index}.js`;
    return { url, response: seen(response(url, { body: fill(unit, size * megabyte * share) })) };
  });
  return captureWith({
    page: seen(page),
    https: navigation(page),
    http: navigation({ ...page, url: 'http://portal.example.com/' }),
    scripts: seen(scripts),
  });
}

const detectors = detectorsFor('website');

describe('a page and scripts that repeat', () => {
  it.each([
    'a',
    ' ',
    '\n',
    '<',
    '</',
    '<!--',
    '<a',
    '<a b="',
    '<a b=\'"',
    '<a href="x">',
    '<a href=x target=_blank rel="opener a b">y',
    '<script>',
    '<script src="a.js"></script>',
    '<script src="/1.1.1/jquery-1.1.1.min.min.min.js">',
    '<script>/*! jQuery v1.1.1 */</script>',
    '<title>',
    '<svg>',
    '<svg><g></x>',
    '<svg><foreignObject><p>',
    '<math><mi><svg></p>',
    '<noscript><svg></noscript>',
    '<script><!--<script></script>',
    '<![CDATA[>',
    '</a b="',
    '<form><input name="',
    '<meta http-equiv="content-security-policy" content="script-src a;;',
    '<div><p><b>',
    '&amp;&#',
    '/*/*/',
    '"\'`',
    '((((',
    'a=a=',
    'a.a.a.',
    '\\/\\/:\\/\\/',
    '://a:b@',
    'http://a',
    'https://1.1.1.1:',
    '1.1.1.',
    '10.10.10.',
    '-----BEGIN PRIVATE KEY-----\n',
    '-----BEGIN RSA PRIVATE KEY-----\nA-a: b\n',
    'eyJ',
    'eyJaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.',
    'eyJhbGciOiJI.eyJhbGciOiJI.aaaaaaaaaaaaaaaaaaaaa ',
    'AKIAQ3EBXKZ2MWJ7TRYH ',
    `AIza${'Zk39dkWq'.repeat(4)}abc `,
    '/*! jQuery v1.1.1.1',
    'f="1.1.1",f.prototype={jquery:f,',
    'lodash 4.4.4 <',
    'CKEDITOR timestamp:"a",version:"4.4.4',
    '.version="2.2.2",a',
    'at a (a.js:1:1)\n',
    'Traceback (most recent call last):\n  File "a", line 1\n',
    '<title>Index of /</title><a href="../">',
    'é',
  ])('%j', { timeout: 120_000 }, unit => {
    expectLinear(
      share => () => {
        const capture = captureOf(unit, share);
        for (const detector of detectors) detector.detect(capture);
      },
      { within: 3_000, noise: 200 },
    );
  });
});

/** Texts after which a pattern continues past its anchor, then fails. */
const tails = ['', 'a', ' 1.1', '"1.1.1",', 'Zk39dkWqPf72LmXc'.repeat(6), `${'A-a: b\n'.repeat(5)}`];
const anchors = new Set(
  [...secretRules, ...hiddenTexts]
    .flatMap(rule => rule.anchors)
    .concat(signatures.map(({ anchor }) => anchor)),
);

it.each([...anchors])('a text that repeats %j', { timeout: 120_000 }, anchor => {
  for (const tail of tails) {
    expectLinear(
      share => {
        const text = fill(`${anchor}${tail} `, 256 * kilobyte * share);
        return () => {
          findSecrets(text);
          librariesInScript(text);
        };
      },
      { within: 500, noise: 40 },
    );
  }
});

it.each([
  ['many fields', (n: number) => Array.from({ length: n / 16 }, (_, index) => ['x-a', `v${index}`] as const)],
  [
    'many cookies',
    (n: number) =>
      Array.from({ length: n / 32 }, (_, index) => ['set-cookie', `a${index}=b; Path=/`] as const),
  ],
  ['one long cookie', (n: number) => [['set-cookie', fill('a=b; ', n)] as const]],
  [
    'one long policy',
    (n: number) => [['content-security-policy', fill("script-src 'self' https://a; ", n)] as const],
  ],
  ['a long HSTS', (n: number) => [['strict-transport-security', fill('max-age=1;', n)] as const]],
])('headers: %s', { timeout: 120_000 }, (_, headers) => {
  expectLinear(
    share => {
      // Node accepts at most 16 KB of headers; twice as much shows growth.
      const list: HttpResponse['headers'] = [['content-type', 'text/html'], ...headers(32_768 * share)];
      const page = response(home, { headers: list });
      const capture = captureWith({
        page: seen(page),
        https: navigation(page),
        cors: seen([
          { target: 'page', origin_kind: 'foreign', origin: 'https://a.example', response: seen(page) },
        ]),
        exposure: exposureWith({ '/.env': { headers: list, body: 'A=B' } }),
      });
      return () => {
        for (const detector of detectors) detector.detect(capture);
      };
    },
    { within: 2_000, noise: 100 },
  );
});

it.each(['a', '/', '.', '-', '.min', '-1.1', '/a@1.1', ',npm/jquery@1.1.1', '/1.1.1', 'aB1', '-aB1_', '%25'])(
  'a URL that repeats %j',
  { timeout: 120_000 },
  unit => {
    expectLinear(
      share => {
        const url = `https://cdn.jsdelivr.net/${fill(unit, 400_000 * share)}.js`;
        return () => {
          for (let time = 0; time < 20; time++) {
            librariesInUrl(url);
            scriptPlace(url);
          }
        };
      },
      { within: 2_000, noise: 100 },
    );
  },
);
