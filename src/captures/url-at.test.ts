import { expect, it } from 'vitest';
import { urlAt } from './url-at.ts';

const origin = 'http://a.example:8080';

it.each([
  ['/a/b?c=d&e', '/a/b?c=d&e'],
  ['/', '/'],
  ['', '/'],
  ['a', '/a'],
  ['/ä?ö', '/%C3%A4?%C3%B6'],
  ['/a/../b#c?d', '/b'],
  ['/a?b?c#d', '/a?b?c'],
])('puts %j on an origin as %j', (path, expected) => {
  expect(urlAt(origin, path).href).toBe(origin + expected);
});

it.each([
  '//other.example/a',
  '///other.example/a',
  String.raw`/\other.example/a`,
  String.raw`\\other.example/a`,
  '/.//other.example/a',
  '/\t/other.example/a',
  '\n//other.example',
  'http://other.example/a',
  'https:other.example',
  'javascript:alert(1)',
  '@other.example/a',
  ':99/a',
  '//[/',
  '//[backup',
  '//a:b:c@/',
  '/%',
  '?//other.example/',
  '\ud800',
])('neither leaves the origin nor throws for %j', path => {
  expect(urlAt(origin, path).origin).toBe(origin);
  expect(urlAt(`${origin}/start?with=query#hash`, path).origin).toBe(origin);
});
