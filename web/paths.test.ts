import { describe, expect, it } from 'vitest';
import { paths, queryString, safeReturnPath } from './paths.ts';

it('encodes what it puts into a path or a query', () => {
  expect(paths.object('a', 'sources', '../people?x#y')).toBe('/o/a/sources/..%2Fpeople%3Fx%23y');
  expect(paths.section('a', 'findings', { search: 'a & b=c', status: 'any' })).toBe(
    '/o/a/findings?search=a+%26+b%3Dc&status=any',
  );
});

it('omits parameters without a value', () => {
  expect(queryString({ cursor: undefined, search: '', order: 'newest' })).toBe('?order=newest');
  expect(queryString({ cursor: undefined })).toBe('');
});

describe('returns after sign-in', () => {
  it('to a page of this site', () => {
    expect(safeReturnPath('/o/a/findings?status=any')).toBe('/o/a/findings?status=any');
  });

  it.each([null, '', 'https://evil.example', '//evil.example', '/\\evil.example', '/\t/evil.example', 'o/a'])(
    'to the overview instead of %j',
    next => {
      expect(safeReturnPath(next)).toBe('/');
    },
  );
});
