import { expect, it } from 'vitest';
import { runCauses, testErrors } from '../contract/causes.ts';
import type { RunStatus } from '../contract/scans.ts';
import { sourceKinds } from '../contract/sources.ts';
import { describeCause, explainCause, whyNothingAssessed } from './scan-causes.ts';

it('has a sentence for every cause, also for one that names a property of all objects', () => {
  expect(describeCause('dns_failed')).toBe(
    'The host name could not be resolved. Check its spelling and its DNS records.',
  );
  for (const code of [...runCauses, ...testErrors]) expect(describeCause(code), code).toMatch(/^[A-Z].*\.$/s);
  expect(describeCause('auth_failed')).not.toContain('probe');
  expect(describeCause('auth_failed', 'probe')).toContain('configuration of the probe');
  expect(describeCause('timeout', 'probe')).toBe(describeCause('timeout'));
  expect(describeCause('constructor')).toBe('constructor');
  expect(describeCause('__proto__')).toBe('__proto__');
});

it('has what happened and what to do for every code, kind of source and connection', () => {
  for (const code of new Set([...runCauses, ...testErrors])) {
    for (const connection of ['direct', 'probe'] as const) {
      for (const kind of [undefined, ...sourceKinds]) {
        const { what, fix } = explainCause(code, connection, kind);
        expect(what, code).toMatch(/^[A-Z].*\.$/);
        expect(fix, code).toMatch(/^[A-Z].*\.$/);
        expect(fix, code).not.toBe(what);
      }
    }
  }
});

it('explains failures of a kind by what that kind has', () => {
  const fixes = sourceKinds.map(kind => explainCause('auth_failed', 'direct', kind).fix);
  expect(new Set(fixes).size, 'each kind has its own').toBe(sourceKinds.length);
  expect(describeCause('auth_failed', 'direct', 'redis')).toMatch(/protected mode.*ACL SETUSER/);
  expect(describeCause('auth_failed', 'direct', 'redis')).not.toMatch(/PostgreSQL|MySQL/);
  expect(describeCause('timeout', 'direct', 'redis')).toContain('rediss://');
  expect(describeCause('auth_failed', 'probe', 'redis')).toBe(describeCause('auth_failed', 'probe'));
});

it('says why a scan assessed nothing of a source, but not of one that it assessed in part', () => {
  const why = (...runs: readonly [RunStatus, string | null][]) =>
    whyNothingAssessed(
      runs.map(([status, cause]) => ({ status, cause })),
      'direct',
    );
  expect(why(['failed', 'timeout'], ['failed', 'not_assessed'], ['skipped', null])).toEqual([
    describeCause('timeout'),
  ]);
  expect(why(['failed', 'not_assessed']), 'each check has its own reason').toEqual([]);
  expect(why(['failed', 'timeout'], ['succeeded', null])).toBeUndefined();
  expect(why(['failed', 'timeout'], ['running', null])).toBeUndefined();
  expect(why(['skipped', 'scan_canceled'])).toBeUndefined();
  expect(why()).toBeUndefined();
});
