import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { SeenFlaw, StoredFinding } from '../domain/finding-changes.ts';
import { reconcile } from './reconcile.ts';

const checks = ['tls.a', 'tls.b', 'csp.c'];

function flaw(category: string, locator: string): SeenFlaw {
  return {
    fingerprint: `${category}|${locator}`,
    formerFingerprints: [],
    category,
    locator,
    severity: 'low',
    title: 't',
    remediation: 'r',
    seen: 's',
    hipaa: false,
  };
}

const flaws = fc.array(
  fc
    .tuple(fc.constantFrom(...checks), fc.constantFrom('x', 'y'))
    .map(([category, locator]) => flaw(category, locator)),
  { maxLength: 6 },
);
const scans = fc.array(fc.record({ seen: flaws, assessed: fc.subarray(checks) }), { maxLength: 8 });

it('keeps one finding per flaw, open exactly when it was last seen, through any sequence of scans', () => {
  fc.assert(
    fc.property(scans, sequence => {
      const stored = new Map<string, StoredFinding>();
      const expected = new Map<string, boolean>();
      for (const { seen, assessed } of sequence) {
        const changes = reconcile([...stored.values()], seen, new Set(assessed));
        for (const { fingerprint, category } of changes.opened) {
          expect(stored.has(fingerprint)).toBe(false);
          stored.set(fingerprint, { id: fingerprint, fingerprint, category, observed: true });
        }
        for (const { id } of changes.reopened) {
          expect(stored.get(id)?.observed).toBe(false);
          stored.set(id, { ...stored.get(id)!, observed: true });
        }
        for (const { id } of changes.updated) expect(stored.get(id)?.observed).toBe(true);
        for (const id of changes.resolved) {
          expect(stored.get(id)?.observed).toBe(true);
          stored.set(id, { ...stored.get(id)!, observed: false });
        }
        const now = new Set(seen.map(({ fingerprint }) => fingerprint));
        for (const fingerprint of now) expected.set(fingerprint, true);
        for (const [fingerprint] of expected) {
          const category = fingerprint.split('|')[0]!;
          if (!now.has(fingerprint) && assessed.includes(category)) expected.set(fingerprint, false);
        }
      }
      expect(new Map([...stored].map(([fingerprint, { observed }]) => [fingerprint, observed]))).toEqual(
        expected,
      );
    }),
  );
});

it('resolves nothing by a check that could not look', () => {
  const stored: StoredFinding = { id: '1', fingerprint: 'tls.a|x', category: 'tls.a', observed: true };
  expect(reconcile([stored], [], new Set(['tls.b'])).resolved).toEqual([]);
  expect(reconcile([stored], [], new Set(['tls.a'])).resolved).toEqual(['1']);
});

const stored = (category: string, observed = true): StoredFinding => ({
  id: `id of ${category}`,
  fingerprint: `${category}|x`,
  category,
  observed,
});

it('carries a finding along when its check has got another id', () => {
  const renamed = { ...flaw('tls.b', 'x'), formerFingerprints: ['tls.a|x'] };
  const assessed = new Set(['tls.b', 'tls.a']);
  expect(reconcile([stored('tls.a')], [renamed], assessed)).toEqual({
    opened: [],
    reopened: [],
    updated: [{ id: 'id of tls.a', flaw: renamed }],
    resolved: [],
  });
  expect(reconcile([stored('tls.a', false)], [renamed], assessed).reopened).toEqual([
    { id: 'id of tls.a', flaw: renamed },
  ]);
});

it('resolves under the former id what the renamed check no longer sees', () => {
  expect(reconcile([stored('tls.a')], [], new Set(['tls.b', 'tls.a'])).resolved).toEqual(['id of tls.a']);
  expect(reconcile([stored('tls.a')], [], new Set(['csp.c'])).resolved).toEqual([]);
});

it('keeps the newer finding where one exists under both ids, and resolves the other', () => {
  const renamed = { ...flaw('tls.b', 'x'), formerFingerprints: ['tls.a|x'] };
  const changes = reconcile([stored('tls.a'), stored('tls.b')], [renamed], new Set(['tls.b', 'tls.a']));
  expect(changes.updated.map(({ id }) => id)).toEqual(['id of tls.b']);
  expect(changes.resolved).toEqual(['id of tls.a']);
});
