import { expect, it } from 'vitest';
import type { Check, Detection, Detector } from '../detectors/detector.ts';
import { fingerprint } from '../domain/fingerprint.ts';
import { inspectionOf } from './inspection.ts';
import { placesPerScan } from './report-bounds.ts';
import { runDetectors } from './run-detectors.ts';

const check = (id: string, more: Partial<Check> = {}): Check => ({
  id,
  title: 't',
  severity: 'low',
  why: 'w',
  remediation: 'r',
  references: [],
  safeguards: [],
  ...more,
});

function detectorOf(detect: () => Detection, checks: Check[], retiredIds: string[] = []): Detector<unknown> {
  return { name: 'website.test', surface: 'website', checks, retiredIds, detect };
}

function detectAll(sourceId: string, detectors: readonly Detector<unknown>[], evidence: unknown) {
  const results = runDetectors(detectors, evidence);
  return inspectionOf(sourceId, detectors, JSON.parse(JSON.stringify(results)));
}

const nothing: Detection = { observations: [], notAssessed: [] };

it('gives a renamed check its former ids, for its flaws and for what it has assessed', () => {
  const renamed = check('tls.b', { formerIds: ['tls.a'] });
  const seen = { check: 'tls.b', locator: 'x', seen: 'It was seen.' };
  const { seen: flaws, assessed } = detectAll(
    's',
    [detectorOf(() => ({ ...nothing, observations: [seen] }), [renamed], ['tls.old'])],
    {},
  );
  expect(flaws[0]).toMatchObject({
    category: 'tls.b',
    fingerprint: fingerprint('s', 'tls.b', 'x'),
    formerFingerprints: [fingerprint('s', 'tls.a', 'x')],
  });
  expect([...assessed].sort()).toEqual(['tls.a', 'tls.b', 'tls.old']);
});

it('knows under which ids a check has looked at certain places', () => {
  const looked = new Set(['x/y']);
  const { places } = detectAll(
    's',
    [
      detectorOf(
        () => ({ ...nothing, places: new Map([['tls.b', looked]]) }),
        [check('tls.b', { formerIds: ['tls.a'] }), check('tls.c')],
      ),
    ],
    {},
  );
  expect([...places]).toEqual([
    ['tls.b', looked],
    ['tls.a', looked],
  ]);
});

it('fails the run of a detector that could look at nothing, and not one that has nothing to look at', () => {
  const checks = [check('tls.a'), check('tls.b')];
  const left = (inapplicable: boolean): Detection => ({
    observations: [],
    notAssessed: checks.map(({ id }) => ({
      check: id,
      reason: 'It did not answer.',
      ...(inapplicable ? { inapplicable } : {}),
    })),
  });
  const run = (detection: Detection) => detectAll('s', [detectorOf(() => detection, checks)], {});
  expect(run(left(false)).runs).toEqual([
    { detector: 'website.test', status: 'failed', cause: 'not_assessed' },
  ]);
  expect(run(left(true)).runs).toEqual([{ detector: 'website.test', status: 'succeeded' }]);
  expect(run(left(true)).outcomes.map(({ outcome }) => outcome)).toEqual([
    'not_applicable',
    'not_applicable',
  ]);
  expect(run(left(true)).assessed.size).toBe(0);
});

it('keeps the fault of one detector to its own run', () => {
  const broken = detectorOf(() => {
    throw new Error('a fault of ours');
  }, [check('csp.a')]);
  const sound = { ...detectorOf(() => nothing, [check('tls.a')]), name: 'website.sound' };
  const { runs, assessed, outcomes } = detectAll('s', [broken, sound], {});
  expect(runs.map(({ status }) => status)).toEqual(['failed', 'succeeded']);
  expect([...assessed]).toEqual(['tls.a']);
  expect(outcomes.find(outcome => outcome.check === 'csp.a')?.outcome).toBe('not_assessed');
});

it('takes no more places of all detectors together than a scan may report', () => {
  const detectors = Array.from({ length: 10 }, (_, index) => `website.${index}`).map(name => ({
    ...detectorOf(() => nothing, [check(`${name}.check`)]),
    name,
  }));
  const results = (places: number) =>
    detectors.map(({ name: detector }) => ({
      detector,
      detection: {
        observations: Array.from({ length: places / detectors.length }, (_, index) => ({
          check: `${detector}.check`,
          locator: `${index}`,
          seen: 's',
        })),
        notAssessed: [],
        places: [],
      },
    }));
  expect(inspectionOf('s', detectors, results(placesPerScan)).seen).toHaveLength(placesPerScan);
  expect(() => inspectionOf('s', detectors, results(placesPerScan + detectors.length))).toThrow(TypeError);
});
