import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import {
  countsKey,
  invalidate,
  isOfOrganization,
  isSessionKey,
  listKey,
  objectKey,
  personalKey,
  type QueryKey,
  resourceKey,
  systemNamesKey,
  tokenKey,
} from './query-keys.ts';

it('rejects raw arrays as keys at compile time', () => {
  // @ts-expect-error a key comes from a function of this module
  const raw: QueryKey = ['findings', 'a'];
  expect(raw).toEqual(resourceKey('a', 'findings'));
  const queries = new QueryClient();
  // @ts-expect-error also where a query takes it
  void queries.invalidateQueries({ queryKey: ['findings', 'a'] });
  // @ts-expect-error a resource has one of the listed names
  void invalidate(queries, 'a', ['findngs']);
});

it('invalidates everything loaded of a resource, and nothing else', async () => {
  const queries = new QueryClient();
  const keys = {
    list: listKey('a', 'systems', { search: 'x' }),
    names: systemNamesKey('a', {}),
    object: objectKey('a', 'systems', '1'),
    counts: countsKey('a', 'systems', {}),
    whole: resourceKey('a', 'systems'),
    elsewhere: listKey('b', 'systems', { search: 'x' }),
    another: listKey('a', 'sources', { search: 'x' }),
    session: personalKey('session'),
  };
  for (const key of Object.values(keys)) queries.setQueryData(key, 'loaded');
  await invalidate(queries, 'a', ['systems']);
  const stale = Object.entries(keys).filter(([, key]) => queries.getQueryState(key)?.isInvalidated);
  expect(stale.map(([name]) => name)).toEqual(['list', 'names', 'object', 'counts', 'whole']);
});

it('recognizes the keys of an organization and of the session', () => {
  expect(isOfOrganization(listKey('a', 'scans', {}), 'a')).toBe(true);
  expect(isOfOrganization(listKey('b', 'scans', {}), 'a')).toBe(false);
  expect(isOfOrganization(personalKey('security'), 'a')).toBe(false);
  expect([personalKey('session'), personalKey('security'), tokenKey('/x', 't')].map(isSessionKey)).toEqual([
    true,
    false,
    false,
  ]);
});
