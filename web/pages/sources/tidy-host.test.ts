import { expect, it } from 'vitest';
import { tidyHost } from './tidy-host.ts';

it.each([
  ['example.com', 'example.com', undefined],
  [' example.com/ ', 'example.com', undefined],
  ['example.com:8443', 'example.com:8443', undefined],
  ['example.com/portal', 'https://example.com/portal', undefined],
  ['http://example.com/portal', 'http://example.com/portal', undefined],
  ['https://example.com/?utm=1#top', 'https://example.com/', '?utm=1#top'],
  ['example.com/portal#a?b', 'https://example.com/portal', '#a?b'],
  ['example.com?utm=1', 'example.com', '?utm=1'],
  ['#top', '', '#top'],
])('turns %s into %s', (entered, host, removed) => {
  expect(tidyHost('website', entered)).toEqual({ host, removed });
});

it('removes no part of a database host, which the service then explains', () => {
  expect(tidyHost('postgres', ' db.example.com/x?sslmode=require ')).toEqual({
    host: 'db.example.com/x?sslmode=require',
    removed: undefined,
  });
});

it('adds no scheme to a Supabase project', () => {
  expect(tidyHost('supabase', 'abc.supabase.co/rest?x')).toEqual({
    host: 'abc.supabase.co/rest',
    removed: '?x',
  });
});
