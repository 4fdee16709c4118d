import { expect, it } from 'vitest';
import { apiPath } from './api-path.ts';

it('keeps every value in one segment', () => {
  expect(apiPath`/scans/${'../people'}/runs/${'a?b#c'}`).toBe('/scans/..%2Fpeople/runs/a%3Fb%23c');
});

it.each(['', '.', '..'])('refuses %j, which no encoding keeps in one segment', value => {
  expect(() => apiPath`/scans/${value}`).toThrow(expect.objectContaining({ status: 404 }));
});

it('allows dots beside other characters', () => {
  expect(apiPath`/controls/${'164.312(b)'}/${'...'}`).toBe('/controls/164.312(b)/...');
});
