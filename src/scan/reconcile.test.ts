import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ObservedFlaw, StoredFinding } from '../domain/finding-changes.ts';
import { findingsPerSource, observedAtOnce, reconcile } from './reconcile.ts';

const checks = ['tls.a', 'tls.b', 'csp.c'];
const everywhere = { places: new Map(), covered: new Map() };

function flaw(category: string, locator: string): ObservedFlaw {
  return {
    fingerprint: `${category}|${locator}`,
    formerFingerprints: [],
    category,
    locator,
    subject: null,
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
/** `csp.c` may assess certain places only. */
const places = fc.option(fc.subarray(['x', 'y']), { nil: undefined });
const scans = fc.array(fc.record({ seen: flaws, assessed: fc.subarray(checks), places }), { maxLength: 8 });

it('keeps one finding per flaw, open exactly when it was last observed, through any sequence of scans', () => {
  fc.assert(
    fc.property(scans, sequence => {
      const stored = new Map<string, StoredFinding>();
      const expected = new Map<string, boolean>();
      for (const { seen, assessed, places } of sequence) {
        const changes = reconcile([...stored.values()], seen, new Set(assessed), {
          places: new Map(places ? [['csp.c', new Set(places)]] : []),
          covered: new Map(),
        });
        for (const { fingerprint, category, locator } of changes.opened) {
          expect(stored.has(fingerprint)).toBe(false);
          stored.set(fingerprint, {
            id: fingerprint,
            fingerprint,
            category,
            locator,
            subject: null,
            observed: true,
          });
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
          const [category, locator] = fingerprint.split('|') as [string, string];
          const hasPlaces = places !== undefined && category === 'csp.c';
          const wasAssessed = hasPlaces ? places.includes(locator) : assessed.includes(category);
          if (!now.has(fingerprint) && wasAssessed) expected.set(fingerprint, false);
        }
      }
      expect(new Map([...stored].map(([fingerprint, { observed }]) => [fingerprint, observed]))).toEqual(
        expected,
      );
    }),
  );
});

it('resolves nothing for a check that was not assessed', () => {
  expect(reconcile([stored('tls.a')], [], new Set(['tls.b'])).resolved).toEqual([]);
  expect(reconcile([stored('tls.a')], [], new Set(['tls.a'])).resolved).toEqual(['id of tls.a']);
});

it('resolves a finding at a place only if a scan assessed that place again', () => {
  const covering = (...places: string[]) =>
    reconcile([stored('csp.c')], [], new Set(['csp.c']), {
      places: new Map([['csp.c', new Set(places)]]),
      covered: new Map(),
    }).resolved;
  expect(covering('elsewhere')).toEqual([]);
  expect(covering('x')).toEqual(['id of csp.c']);
});

it('resolves a finding on a page only if a scan covered that page again', () => {
  const onPage = { ...stored('csp.c'), subject: 'https://a.example/shop' };
  const covering = (...pages: string[]) =>
    reconcile([onPage], [], new Set(['csp.c']), {
      places: new Map(),
      covered: new Map([['csp.c', new Set(pages)]]),
    });
  const elsewhere = covering('https://a.example/welcome');
  expect([elsewhere.resolved, [...elsewhere.observedElsewhere]]).toEqual([[], ['csp.c']]);
  const again = covering('https://a.example/welcome', 'https://a.example/shop');
  expect([again.resolved, [...again.observedElsewhere]]).toEqual([['id of csp.c'], []]);
  expect(reconcile([onPage], [], new Set(['csp.c'])).resolved, 'by a scan of everything').toHaveLength(1);
  const covered = new Map([['csp.c', new Set(['https://a.example/welcome'])]]);
  const ofSite = reconcile([stored('csp.c')], [], new Set(['csp.c']), { places: new Map(), covered });
  expect(ofSite.resolved, 'observed on no page').toEqual(['id of csp.c']);
  const seen = reconcile([onPage], [flaw('csp.c', 'x')], new Set(['csp.c']), {
    places: new Map(),
    covered,
  });
  expect([seen.opened, seen.updated.map(({ id }) => id), [...seen.observedElsewhere]]).toEqual([
    [],
    ['id of csp.c'],
    [],
  ]);
  const gone = reconcile([{ ...onPage, observed: false }], [], new Set(['csp.c']), {
    places: new Map(),
    covered,
  });
  expect(gone.observedElsewhere.size, 'resolved before').toBe(0);
  const notAssessed = reconcile([onPage], [], new Set(), { places: new Map(), covered });
  expect(notAssessed.observedElsewhere.size, 'a check that was not assessed').toBe(0);
});

it('resolves a finding of full scans only by a check that assessed all at full depth', () => {
  const category = 'exposure.backup';
  const deep = { ...stored(category), locator: 'https://a.example, full scan' };
  const by = (fully: readonly string[] | undefined) =>
    reconcile([deep], [], new Set([category]), {
      ...everywhere,
      ...(fully === undefined ? {} : { fully: new Set(fully) }),
    }).resolved;
  expect(by(undefined), 'a safe scan').toEqual([]);
  expect(by(['cors.any_origin']), 'another check').toEqual([]);
  expect(by([category])).toEqual([deep.id]);
});

it('resolves a finding without a path at an assessed place only on a page that was covered', () => {
  const onPage = { ...stored('csp.c'), subject: 'https://a.example/shop' };
  const by = (page: string) =>
    reconcile([onPage], [], new Set(['csp.c']), {
      places: new Map([['csp.c', new Set(['x'])]]),
      covered: new Map([['csp.c', new Set([page])]]),
    }).resolved;
  expect(by('https://a.example/welcome')).toEqual([]);
  expect(by('https://a.example/shop')).toEqual([onPage.id]);
});

const stored = (category: string, observed = true): StoredFinding => ({
  id: `id of ${category}`,
  fingerprint: `${category}|x`,
  category,
  locator: 'x',
  subject: null,
  observed,
});

it('keeps a finding when the id of its check changes', () => {
  const renamed = { ...flaw('tls.b', 'x'), formerFingerprints: ['tls.a|x'] };
  const assessed = new Set(['tls.b', 'tls.a']);
  expect(reconcile([stored('tls.a')], [renamed], assessed)).toEqual({
    opened: [],
    reopened: [],
    updated: [{ id: 'id of tls.a', flaw: renamed }],
    resolved: [],
    dropped: new Set(),
    observedElsewhere: new Set(),
  });
  expect(reconcile([stored('tls.a', false)], [renamed], assessed).reopened).toEqual([
    { id: 'id of tls.a', flaw: renamed },
  ]);
});

it('resolves a finding under the former id that the renamed check no longer reports', () => {
  expect(reconcile([stored('tls.a')], [], new Set(['tls.b', 'tls.a'])).resolved).toEqual(['id of tls.a']);
  expect(reconcile([stored('tls.a')], [], new Set(['csp.c'])).resolved).toEqual([]);
});

it('leaves a finding to the flaw that has its name when a renamed one had it as well', () => {
  const renamed = { ...flaw('tls.b', 'x'), formerFingerprints: ['tls.a|x'] };
  const own = flaw('tls.a', 'x');
  const changes = reconcile([stored('tls.a')], [renamed, own], new Set());
  expect(changes.opened).toEqual([renamed]);
  expect(changes.updated).toEqual([{ id: 'id of tls.a', flaw: own }]);
});

it('keeps the newer finding if there is one under both ids, and resolves the other', () => {
  const renamed = { ...flaw('tls.b', 'x'), formerFingerprints: ['tls.a|x'] };
  const changes = reconcile([stored('tls.a'), stored('tls.b')], [renamed], new Set(['tls.b', 'tls.a']));
  expect(changes.updated.map(({ id }) => id)).toEqual(['id of tls.b']);
  expect(changes.resolved).toEqual(['id of tls.a']);
});

it('drops the least severe findings at the limit of open findings, and counts resolved ones as free places', () => {
  const stored = Array.from({ length: observedAtOnce }, (_, index) => ({
    id: `${index}`,
    fingerprint: `tls.a|${index}`,
    category: 'tls.a',
    locator: `${index}`,
    subject: null,
    observed: true,
  }));
  const gone = {
    id: 'gone',
    fingerprint: 'tls.b|gone',
    category: 'tls.b',
    locator: 'gone',
    subject: null,
    observed: false,
  };
  const seen = [
    flaw('csp.c', 'x'),
    { ...flaw('csp.c', 'y'), severity: 'critical' as const },
    { ...flaw('tls.b', 'gone'), severity: 'high' as const },
    ...stored.slice(2).map(({ locator }) => flaw('tls.a', locator)),
  ];
  const full = reconcile([...stored, gone], seen, new Set());
  expect([full.opened, full.reopened]).toEqual([[], []]);
  const changes = reconcile([...stored, gone], seen, new Set(['tls.a']));
  expect(changes.resolved).toEqual(['0', '1']);
  expect(changes.opened.map(({ locator }) => locator)).toEqual(['y']);
  expect(changes.reopened.map(({ id }) => id)).toEqual(['gone']);
});

it('drops nothing that the service itself observes, whatever is stored of the target', () => {
  const open = Array.from({ length: observedAtOnce }, (_, index) => ({
    ...{ id: `${index}`, fingerprint: `tls.b|${index}`, category: 'tls.b', locator: `${index}` },
    ...{ subject: null, observed: true },
  }));
  const own = reconcile(open, [flaw('tls.a', 'y')], new Set(), everywhere, null);
  expect(own.opened.map(({ category }) => category)).toEqual(['tls.a']);
  expect(own.dropped).toEqual(new Set());
});

it('drops new findings at the limit of stored findings, and names the checks that keep none', () => {
  const past = {
    id: 'past',
    fingerprint: 'tls.b|past',
    category: 'tls.b',
    locator: 'past',
    subject: null,
    observed: false,
  };
  const seen = [
    flaw('tls.b', 'past'),
    flaw('tls.b', 'new'),
    flaw('csp.c', 'x'),
    { ...flaw('tls.a', 'y'), severity: 'critical' as const },
  ];
  const oneLeft = reconcile([past], seen, new Set(), everywhere, findingsPerSource - 1);
  expect(oneLeft.opened.map(({ category }) => category)).toEqual(['tls.a']);
  expect([...oneLeft.dropped]).toEqual(['csp.c']);
  const full = reconcile([past], seen, new Set(), everywhere, findingsPerSource);
  expect([full.opened, full.reopened.map(({ id }) => id)]).toEqual([[], ['past']]);
  expect([...full.dropped]).toEqual(['csp.c', 'tls.a']);
});

it('knows a finding that was stored with a token in its locator, and resolves it', () => {
  const token = `sk_${'live'}_4eC39HqLyjWDarjtT1zdp7dc`;
  const [old, other] = [
    flaw('exposure.backup', `https://a.example/${token}`),
    flaw('tls.a', 'https://a.example'),
  ];
  const stored = [old, other].map(one => ({ ...one, id: one.locator, observed: true }));
  const masked = 'https://a.example/sk_live_[masked]';
  const again = flaw('exposure.backup', masked);
  const seenAgain = reconcile(stored, [again, other], new Set(), everywhere);
  expect(seenAgain.opened).toEqual([]);
  expect(seenAgain.updated).toEqual([
    { id: old.locator, flaw: again },
    { id: other.locator, flaw: other },
  ]);
  const looked = (place: string) => ({
    ...everywhere,
    places: new Map([['exposure.backup', new Set([place])]]),
  });
  expect(reconcile(stored, [other], new Set(), looked(masked)).resolved).toEqual([old.locator]);
  expect(reconcile(stored, [other], new Set(), looked('https://a.example/')).resolved).toEqual([]);
});
