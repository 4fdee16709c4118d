import { expect, it } from 'vitest';
import { scopesOf } from './scopes.ts';

it.each([
  ['probe', false, ['ingest']],
  ['probe', true, ['ingest']],
  ['dashboard', false, ['ingest', 'findings:read', 'scans:write', 'sources:write']],
  ['dashboard', true, ['ingest', 'findings:read', 'scans:write', 'sources:write', 'sources:privileged']],
] as const)('a %s key, privileged: %s, has %j', (kind, privileged, scopes) => {
  expect(scopesOf(kind, { privileged })).toEqual(scopes);
});

it('gives a dashboard key only the chosen scopes, in one order, and a probe key none of them', () => {
  const chosen = ['scans:write', 'findings:read'] as const;
  expect(scopesOf('dashboard', { privileged: false, chosen })).toEqual(['findings:read', 'scans:write']);
  expect(scopesOf('probe', { privileged: false, chosen })).toEqual(['ingest']);
});
