import { inflateRawSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { preloadedAs, preloadListDate, writeHashes } from './preload-list.ts';
import table from './preload-table.json' with { type: 'json' };

it.each([
  ['github.com', 'github.com'],
  ['gist.github.com', 'github.com'],
  ['a.b.gist.github.com', 'github.com'],
  ['portal.clinic.dev', 'dev'],
  ['dev', 'dev'],
  ['accounts.google.com', 'accounts.google.com'],
  // Listed without its subdomains.
  ['facebook.com', 'facebook.com'],
  ['static.facebook.com', null],
  ['google.com', null],
  ['mozilla.org', null],
  ['github.com.example', null],
  ['notgithub.com', null],
  ['portal.clinic.com', null],
  ['', null],
])('knows the name on the list for %s', (host, name) => {
  expect(preloadedAs(host)).toBe(name);
});

it('has a date, and as many names as browsers', () => {
  expect(preloadListDate).toMatch(/^\d{4}-\d\d-\d\d$/);
  const { length } = inflateRawSync(Buffer.from(table.with_subdomains, 'base64'));
  expect((length - 65_536) / 3).toBeGreaterThan(90_000);
});

it('treats no name as listed that is not', () => {
  const names = Array.from({ length: 50_000 }, (_, at) => `site-${at}.parapet.example`);
  expect(names.filter(name => preloadedAs(name) !== null)).toEqual([]);
});

it('writes the same table in any order', () => {
  expect(writeHashes(['b.example', 'a.example'])).toBe(writeHashes(['a.example', 'b.example']));
});
