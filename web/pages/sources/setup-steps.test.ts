import { expect, it } from 'vitest';
import { setupSteps } from './setup-steps.ts';

type Source = Parameters<typeof setupSteps>[0];

const credential = { types: ['basic' as const], stored: null, allowed: true };
const draft: Source = {
  kind: 'website',
  status: 'draft',
  connection_mode: 'direct',
  credential,
  scan_authorized_at: null,
  last_scan: null,
  watch: null,
  probe_state: null,
};
const scan = {} as NonNullable<Source['last_scan']>;

const next = (source: Source, skipped: Parameters<typeof setupSteps>[1] = new Set()) =>
  setupSteps(source, skipped).find(({ done }) => !done)?.name;

it('leads a website from its draft to Watch', () => {
  const pending: Source = { ...draft, status: 'pending' };
  const connected: Source = { ...draft, status: 'connected' };
  const authorized = { ...connected, scan_authorized_at: '2026-01-01' };
  const scanned = { ...authorized, last_scan: scan };
  const watch = { every_hours: 24 as const, next_scan_at: '2026-01-02' };
  expect(next(draft)).toBe('risk');
  expect(next(pending)).toBe('credential');
  expect(next(pending, new Set(['credential']))).toBe('test');
  expect(next(connected)).toBe('authorize');
  expect(next(authorized)).toBe('scan');
  expect(next(scanned)).toBe('watch');
  expect(next({ ...scanned, watch })).toBeUndefined();
});

it('requires a credential of a database, and none of a website that was tested', () => {
  const tested: Source = { ...draft, status: 'connected' };
  expect(next({ ...tested, kind: 'postgres' })).toBe('credential');
  const stored = { type: 'dsn', stored_at: '2026-01-01' };
  expect(next({ ...tested, kind: 'postgres', credential: { ...credential, stored } })).toBe('authorize');
  expect(next({ ...draft, status: 'failing' })).toBe('test');
});

it('counts a connection as tested if it had a scan before its credential changed', () => {
  expect(next({ ...draft, status: 'pending', last_scan: scan })).toBe('authorize');
});

it('omits the steps that a probe does itself', () => {
  const steps = setupSteps({ ...draft, connection_mode: 'probe' }, new Set());
  expect(steps.map(({ name, done }) => [name, done])).toEqual([
    ['risk', false],
    ['authorize', false],
    ['probe', false],
  ]);
  const authorized: Source = {
    ...draft,
    connection_mode: 'probe',
    status: 'pending',
    scan_authorized_at: '2026-01-01',
  };
  expect(next(authorized)).toBe('probe');
  expect(next({ ...authorized, status: 'failing', probe_state: 'reporting' })).toBeUndefined();
  // Its probe no longer names it: what it reported before does not count.
  expect(next({ ...authorized, last_scan: scan, probe_state: 'dropped' })).toBe('probe');
});
