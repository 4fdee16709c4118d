import { describe, expect, it } from 'vitest';
import { pathsOfPage } from '../../surfaces/website/paths-of-page.ts';
import { reachOf } from '../../surfaces/website/reach.ts';
import { detectorsFor } from '../catalogue.ts';
import { captureWith, headersWith, home, navigation, response, seen } from './hardened-capture.ts';
import { readMarkup } from './markup.ts';
import { reflectedAs } from './reflection/reflected-as.ts';

function detect(body: string) {
  const headers = headersWith({ 'content-security-policy': null, 'referrer-policy': null });
  const page = response(home, { headers, body });
  const plain = { ...page, url: home.replace('https:', 'http:') };
  const capture = captureWith({ page: seen(page), https: navigation(page), http: navigation(plain) });
  const results = detectorsFor('website').map(detector => detector.detect(capture));
  return {
    observed: results.flatMap(({ observations }) => observations),
    notAssessed: results.flatMap(({ notAssessed }) => notAssessed.map(({ check }) => check)),
  };
}

const flaws = `<script src=http://a.example/a.js></script><script src=https://polyfill.io/b.js></script>
<form action=http://a.example/login><input type=password name=p><input name=email></form>
<a href="https://a.example/" target=_blank rel=opener>a</a><script>f("https://10.1.2.3/")</script>`;

const pageOf = (before: string) => `<!doctype html><html lang=en><body>${before}${flaws}</body></html>`;

describe('markup before the flaws of a page', () => {
  it.each([
    '<svg><title/></svg>',
    '<svg><style/></svg>',
    '<svg><script/></svg>',
    '<math><title/></math>',
    '<svg><iframe/></svg>',
    '<svg><form></svg>',
    '<svg><base href=https://b.example/></svg>',
    '<noscript><style></noscript>',
    '<noscript><form></noscript>',
    '<noscript><base href=https://b.example/></noscript>',
    '<template><form></template>',
  ])('hides none of them: %s', before => {
    const observed = (body: string) =>
      new Set(detect(body).observed.map(({ check, locator }) => `${check} ${locator}`));
    expect(observed(pageOf(before))).toEqual(observed(pageOf('<svg><title></title></svg>')));
    expect(detect(pageOf(before)).notAssessed).toEqual(detect(pageOf('')).notAssessed);
  });

  it.each([
    '<![CDATA[>',
    '</p x="><style>">',
    '<script><!--<script></script><style></script>',
    '<title>',
    "<a x='",
  ])('prevents the assessment of every check that reads the page if it may hide them: %s', before => {
    const { notAssessed } = detect(pageOf(before));
    expect(notAssessed).toEqual(
      expect.arrayContaining([
        'transport.mixed_content',
        'transport.insecure_form',
        'transport.password_over_http',
        'csp.missing',
        'headers.referrer_policy',
        'page.taken_over_host',
      ]),
    );
    expect(reflectedAs(`${pageOf(before)}pabc`, ['pabc']).gap).not.toBeNull();
    const { leftOut } = pathsOfPage(
      response(home, { body: pageOf(before) }),
      [],
      home,
      reachOf(home, 'full'),
    );
    expect(leftOut).toEqual(['directory', 'source_map']);
  });
});

const policy = '<meta http-equiv=content-security-policy content="default-src \'none\'">';

it.each([
  `<head>${policy}`,
  `<!doctype html>\n<html><head><title>a</title></head>\n${policy}`,
  `<style>a</style><script>b</script><noscript><img src=x></noscript>${policy}`,
  `<template><p>a</p></template><link>${policy}`,
  `<head><template><template></template><div></div></template>${policy}`,
  `\ufeff${policy}`,
])('applies the policy of %s', body => {
  expect(readMarkup(response(home, { body })).policies).toEqual(["default-src 'none'"]);
});

it.each([
  `<body>${policy}`,
  `<p>${policy}`,
  `a${policy}`,
  `<svg></svg>${policy}`,
  `<noscript>${policy}</noscript>`,
  `<head><noscript></template>${policy}</noscript>`,
  `<head></br>${policy}`,
  `<head></head></body>${policy}`,
  `<template>${policy}</template>`,
  `\ufeff\ufeff${policy}`,
  `<head>\ufeff${policy}`,
  `<head><noscript><iframe srcdoc="</noscript>"></iframe></noscript><p>${policy}`,
  `<head><template><iframe srcdoc="<template>"></iframe></template><p>${policy}`,
  `<head><template><iframe srcdoc="</template>"></iframe><p></p>${policy}</template>`,
  `<head><template><noscript><template></noscript></template><p>${policy}`,
])('ignores the policy of %s, as browsers do', body => {
  expect(readMarkup(response(home, { body })).policies).toEqual([]);
});

const evil = 'https://evil.example/a.js';

it.each([
  `<svg><script href="${evil}"></script></svg>`,
  `<svg><script src="/own.js" xlink:href="${evil}"/></svg>`,
  `<script type="text/livescript" src="${evil}"></script>`,
  `<base href="data:text/plain,x"><script src="//evil.example/a.js"></script>`,
  `<base href="javascript:"><script src="//evil.example/a.js"></script>`,
  `<iframe srcdoc="&lt;script src='${evil}'>&lt;/script>"></iframe>`,
  `<iframe srcdoc='<noscript></noscript><svg><script href="${evil}"/></svg>'></iframe>`,
])('finds the script that %s loads', body => {
  const { resources, gap } = readMarkup(response(home, { body }));
  expect(resources).toContainEqual(expect.objectContaining({ element: 'script', url: evil, loads: true }));
  expect(gap).toBeNull();
});

it('finds the form of a frame whose document is in an attribute, but not its policies', () => {
  const body = `<iframe srcdoc="<meta http-equiv=content-security-policy content=a><form action=/in><input type=password>"></iframe>`;
  const markup = readMarkup(response(home, { body }));
  expect(markup.formActions).toEqual([new URL('/in', home).href]);
  expect([markup.hasPasswordField, markup.policies]).toEqual([true, []]);
});

it.each([
  ['a base element', '<iframe srcdoc="<base href=//evil.example>"></iframe>'],
  ['a nested frame', `<iframe srcdoc="<iframe srcdoc='a'></iframe>"></iframe>`],
  ['an unclosed tag', '<iframe srcdoc="<a"></iframe>'],
  ['101 frames', '<iframe srcdoc=a></iframe>'.repeat(101)],
])('reports that it has not read all of a frame with %s', (_, body) => {
  expect(readMarkup(response(home, { body })).gap).not.toBeNull();
});

it.each([
  'javascript:import("//evil.example/a.js")',
  'data:text/html,<script src=//evil.example/a.js></script>',
])('reports that it has not read a frame at %s', address => {
  for (const element of ['iframe src', 'frame src', 'object data', 'embed src']) {
    expect(readMarkup(response(home, { body: `<${element}='${address}'>` })).gap).not.toBeNull();
  }
});

it.each([
  'javascript:void(0)',
  'javascript:;',
  "javascript:''",
  'javascript:false;',
  'about:blank',
  '/own.html',
])('has nothing to read in a frame at %s', address => {
  expect(readMarkup(response(home, { body: `<iframe src="${address}"></iframe>` })).gap).toBeNull();
});

const hash = 'sha384-oqVuAfXRKap7fdgcCY5uykM6+R9GqQ8K/uxy9rx7HNQlGYl1kPzQho1wx4JwY8wC';

it.each([
  [hash, true],
  [`md5-abc ${hash}?ct=a`, true],
  ['sha256-!!', false],
  [`md5-a x-${hash}`, false],
  [`${hash}\u00a0`, false],
  ['', false],
])('treats integrity="%s" as a hash that browsers verify: %s', (integrity, expected) => {
  const body = `<script src=https://a.example/a.js integrity="${integrity}"></script>`;
  expect(readMarkup(response(home, { body })).resources[0]?.hasIntegrity).toBe(expected);
});

it('does not close a form of the page at an end tag in such a frame', () => {
  const body =
    '<form method=post action=/a><iframe srcdoc="</form></template>"></iframe><input type=password></form>';
  expect(readMarkup(response(home, { body })).forms).toMatchObject([{ method: 'post', fields: [{}] }]);
});

it('ignores scripts of a frame that may not run any, and a URL that the document of the frame replaces', () => {
  const body = `<iframe sandbox="allow-forms" src="${evil}" srcdoc="<script src='${evil}'></script>"></iframe>`;
  expect(readMarkup(response(home, { body })).resources).toEqual([]);
});

it('reads image URLs with commas', () => {
  const body = `<img srcset="https://a.example/w_400,http://b.example/a.png 1x,/b.png, /c.png 2x , /d,e.png">`;
  expect(readMarkup(response(home, { body })).resources.map(({ url }) => url)).toEqual([
    'https://a.example/w_400,http://b.example/a.png',
    new URL('/b.png', home).href,
    new URL('/c.png', home).href,
    new URL('/d,e.png', home).href,
  ]);
});
