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
