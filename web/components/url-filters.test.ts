import { expect, it } from 'vitest';
import { changeFilters, cleared, readFilters } from './url-filters.ts';

const names = ['status', 'search'] as const;

it('reads the filters that have a value, and no other parameter', () => {
  const query = new URLSearchParams('status=open&search=&finding=1');
  expect(readFilters(query, names)).toEqual({ status: 'open' });
});

it('changes one filter and keeps the rest of the query', () => {
  expect(String(changeFilters('?finding=1&status=open', { search: 'a&b' }))).toBe(
    'finding=1&status=open&search=a%26b',
  );
});

it.each([null, '', undefined])('removes a filter by %j', value => {
  expect(String(changeFilters('?finding=1&status=open', { status: value }))).toBe('finding=1');
});

it('clears its own filters only', () => {
  expect(String(changeFilters('?finding=1&status=open&search=a', cleared(names)))).toBe('finding=1');
});
