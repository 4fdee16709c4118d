import { expect, it } from 'vitest';
import { problemOfKey } from './key-request.ts';

const now = new Date('2026-01-01T00:00:00Z');
const inDays = (days: number) => new Date(now.getTime() + days * 86_400_000);
const dashboard = {
  kind: 'dashboard',
  systemId: null,
  privileged: false,
  scopes: undefined,
  expiresAt: undefined,
} as const;
const probe = { ...dashboard, kind: 'probe', systemId: 'a' } as const;

it.each([
  [dashboard, undefined],
  [probe, undefined],
  [{ ...dashboard, privileged: true }, undefined],
  [{ ...dashboard, privileged: true, scopes: ['sources:write' as const] }, undefined],
  [{ ...dashboard, expiresAt: inDays(365) }, undefined],
  [{ ...probe, expiresAt: inDays(0.001) }, undefined],
  [{ ...probe, systemId: null }, 'system_id'],
  [{ ...dashboard, systemId: 'a' }, 'system_id'],
  [{ ...probe, privileged: true }, 'privileged'],
  [{ ...probe, scopes: ['ingest' as const] }, 'scopes'],
  [{ ...dashboard, scopes: [] }, 'scopes'],
  [{ ...dashboard, privileged: true, scopes: ['findings:read' as const] }, 'privileged'],
  [{ ...dashboard, expiresAt: now }, 'expires_at'],
  [{ ...probe, expiresAt: inDays(365.001) }, 'expires_at'],
])('finds the problem of %j in %s', (request, path) => {
  expect(problemOfKey(request, now)?.path).toBe(path);
});
