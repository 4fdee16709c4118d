import { describe, expect, it } from 'vitest';
import { pathsOfPage } from '../../surfaces/website/paths-of-page.ts';
import { reachOf } from '../../surfaces/website/reach.ts';
import { detectorsFor } from '../catalogue.ts';
import { evidenceWith, headersWith, home, navigation, response, seen } from './hardened-evidence.ts';
import { readMarkup } from './markup.ts';
import { reflectedAs } from './reflection/reflected-as.ts';

function detect(body: string) {
  const headers = headersWith({ 'content-security-policy': null, 'referrer-policy': null });
  const page = response(home, { headers, body });
  const plain = { ...page, url: home.replace('https:', 'http:') };
  const evidence = evidenceWith({ page: seen(page), https: navigation(page), http: navigation(plain) });
  const results = detectorsFor('website').map(detector => detector.detect(evidence));
  return {
    observed: results.flatMap(({ observations }) => observations),
    notAssessed: results.flatMap(({ notAssessed }) => notAssessed.map(({ check }) => check)),
  };
}

const flaws = `<script src=http://a.example/a.js></script><script src=https://polyfill.io/b.js></script>
<form action=http://a.example/login><input type=password name=p><input name=email></form>
<a href="https://a.example/" target=_blank rel=opener>a</a><script>f("https://10.1.2.3/")</script>`;

const pageOf = (before: string) => `<!doctype html><html lang=en><body>${before}${flaws}</body></html>`;

describe('what comes before the flaws of a page', () => {
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
  ])('leaves no check that reads the page assessed where it may hide them: %s', before => {
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
    const { leftOut } = pathsOfPage(response(home, { body: pageOf(before) }), home, reachOf(home, 'full'));
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
])('takes the policy of %s', body => {
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
])('takes no policy of %s, which browsers ignore', body => {
  expect(readMarkup(response(home, { body })).policies).toEqual([]);
});
