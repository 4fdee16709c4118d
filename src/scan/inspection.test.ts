import { describe, expect, it } from 'vitest';
import type { Check, Detection, Detector } from '../detectors/detector.ts';
import { fingerprint } from '../domain/fingerprint.ts';
import type { PlainDetection } from './bound-results.ts';
import { inspectionOf } from './inspection.ts';
import { assessedPlacesPerScan, placesPerCheck, placesPerScan } from './report-bounds.ts';
import { runDetectors } from './run-detectors.ts';

const check = (id: string, more: Partial<Check> = {}): Check => ({
  id,
  title: 't',
  severity: 'low',
  why: 'w',
  fix: { advice: 'a' },
  references: [],
  safeguards: [],
  ...more,
});

function detectorOf(detect: () => Detection, checks: Check[], retiredIds: string[] = []): Detector<unknown> {
  return { name: 'website.test', surface: 'website', checks, retiredIds, detect };
}

function detectAll(sourceId: string, detectors: readonly Detector<unknown>[], capture: unknown) {
  const results = runDetectors(detectors, capture);
  return inspectionOf(sourceId, detectors, JSON.parse(JSON.stringify(results)));
}

const nothing: Detection = { observations: [], notAssessed: [] };

it('uses the former ids of a renamed check for its observations and for what it assessed', () => {
  const renamed = check('tls.b', { formerIds: ['tls.a'] });
  const seen = { check: 'tls.b', locator: 'x', seen: 'It was observed.' };
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

it('lists the places that a check assessed under all its ids', () => {
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

it('fails the run of a detector that could assess nothing, but not if none of its checks applies', () => {
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

it('counts a run of details that could not be read as one that assessed a part', () => {
  const left: Detection = { ...nothing, notAssessed: [{ check: 'tls.b', reason: 'No privilege.' }] };
  const details = { ...detectorOf(() => left, [check('tls.b')]), readsDetailsOnly: true } as const;
  expect(detectAll('s', [details], {}).runs).toEqual([
    { detector: 'website.test', status: 'succeeded', cause: 'checks_not_assessed' },
  ]);
  expect(detectAll('s', [details], {}).outcomes).toEqual([
    { check: 'tls.b', outcome: 'not_assessed', reason: 'No privilege.' },
  ]);
});

it('does not fail the run of a detector that assessed one check or observed a flaw', () => {
  const checks = [check('tls.a'), check('tls.b')];
  const notAssessed = (...ids: string[]) => ids.map(id => ({ check: id, reason: 'It did not answer.' }));
  const seen = { check: 'tls.a', locator: 'x', seen: 'It was observed.' };
  const partly = { detector: 'website.test', status: 'succeeded', cause: 'checks_not_assessed' };
  const run = (detection: Detection) => detectAll('s', [detectorOf(() => detection, checks)], {}).runs;
  expect(run({ observations: [], notAssessed: notAssessed('tls.a') })).toEqual([partly]);
  // It observed something, but not everything.
  expect(run({ observations: [seen], notAssessed: notAssessed('tls.a', 'tls.b') })).toEqual([partly]);
  // It assessed the places of its findings.
  const [first, second] = notAssessed('tls.a', 'tls.b');
  expect(run({ observations: [], notAssessed: [first!, { ...second!, resolves: true }] })).toEqual([partly]);
});

it('limits the failure of one detector to its own run', () => {
  const broken = detectorOf(() => {
    throw new Error('a bug in a detector');
  }, [check('csp.a')]);
  const sound = { ...detectorOf(() => nothing, [check('tls.a')]), name: 'website.sound' };
  const { runs, assessed, outcomes } = detectAll('s', [broken, sound], {});
  expect(runs).toEqual([
    { detector: 'website.test', status: 'failed', cause: 'detector_error' },
    { detector: 'website.sound', status: 'succeeded' },
  ]);
  expect([...assessed]).toEqual(['tls.a']);
  expect(outcomes.find(outcome => outcome.check === 'csp.a')?.outcome).toBe('not_assessed');
});

it('accepts no more places of all detectors together than a scan may report', () => {
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
      subject: null,
    }));
  expect(inspectionOf('s', detectors, results(placesPerScan)).seen).toHaveLength(placesPerScan);
  expect(() => inspectionOf('s', detectors, results(placesPerScan + detectors.length))).toThrow(TypeError);
});

describe('a result that the detectors cannot return', () => {
  const detector = detectorOf(() => nothing, [check('tls.a')]);
  const empty = { observations: [], notAssessed: [], places: [] };
  const of = (detection: Partial<PlainDetection>, name = detector.name) =>
    inspectionOf('s', [detector], [{ detector: name, detection: { ...empty, ...detection }, subject: null }]);
  const observed = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ check: 'tls.a', locator: `${index}`, seen: 's' }));

  it('is refused if it is from another detector', () => {
    expect(() => of({}, 'website.other')).toThrow('no result of website.test');
  });

  it.each<[string, Partial<PlainDetection>]>([
    ['observes', { observations: [{ check: 'tls.x', locator: 'l', seen: 's' }] }],
    ['has not assessed', { notAssessed: [{ check: 'tls.x', reason: 'r' }] }],
    ['has places of', { places: [['tls.x', []]] }],
  ])('is refused if it %s a check that does not exist', (_, detection) => {
    expect(() => of(detection)).toThrow('website.test has no such check');
  });

  it('is refused if a check has more places than allowed', () => {
    expect(of({ observations: observed(placesPerCheck) }).seen).toHaveLength(placesPerCheck);
    expect(() => of({ observations: observed(placesPerCheck + 1) })).toThrow('too many places');
  });

  it('is refused if a check assessed more places than allowed', () => {
    const looked = (count: number): Partial<PlainDetection> => ({
      places: [['tls.a', Array.from({ length: count }, (_, index) => `${index}`)]],
    });
    expect(of(looked(assessedPlacesPerScan)).places.get('tls.a')?.size).toBe(assessedPlacesPerScan);
    expect(() => of(looked(assessedPlacesPerScan + 1))).toThrow('too many places');
  });
});
