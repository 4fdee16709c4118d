import { expect, it } from 'vitest';
import { JsonMeter } from '../bytes/json-meter.ts';
import type { Detection } from '../detectors/detector.ts';
import { resultBounds } from '../sandbox/limits.ts';
import { isResultOf } from '../sandbox/results.ts';
import { boundDetections } from './bound-results.ts';
import { coversPerSubject, placesPerScan } from './report-bounds.ts';

/** A detection in which each check fails at many places with such names. */
function flood(checks: readonly string[], places: number, name: (index: number) => string): Detection {
  return {
    observations: checks.flatMap(check =>
      Array.from({ length: places }, (_, index) => ({ check, locator: name(index), seen: name(index) })),
    ),
    notAssessed: [],
  };
}

const many = Array.from({ length: 60 }, (_, index) => `check.${index}`);
const few = flood(['quiet.a', 'quiet.b'], 3, index => `place ${index}`);

it.each([
  ['short', (index: number) => `${index}`],
  ['long', (index: number) => `${index} ${'x'.repeat(2_100)}`],
  ['long, and six times as long in JSON', (index: number) => `${index} ${'\u0001'.repeat(700)}`],
  [
    'made of characters that PostgreSQL cannot store',
    (index: number) => `${index} ${'\u0000\ud800'.repeat(350)}`,
  ],
])(
  'fits any number of places whose names are %s into a result, including those of checks with few places',
  (_, name) => {
    const [loud, quiet] = boundDetections([flood(many, 510, name), few]);
    const page = 'x'.repeat(2_048);
    const results = [loud, quiet].map((detection, index) => ({
      detector: `website.${index}`,
      detection,
      subject: { at: page, covers: Array(coversPerSubject).fill(page) },
    }));
    const answer = JSON.parse(JSON.stringify({ results }));
    expect(isResultOf('inspect', answer)).toBe(true);
    expect(new JsonMeter(resultBounds).take(Buffer.from(JSON.stringify({ id: 'x', result: answer })))).toBe(
      true,
    );
    expect(loud!.observations.length).toBeLessThanOrEqual(placesPerScan);
    expect(
      loud!.notAssessed.map(({ check }) => check),
      'no place counts as resolved',
    ).toEqual(many);
    expect(loud!.observations.length).toBeGreaterThan(0);
    const shown = Math.min(3, loud!.observations.length / many.length);
    expect(quiet!.observations).toHaveLength(2 * shown);
  },
);

it('reports a check that covered more places than can be listed as not assessed', () => {
  const looked = new Set(Array.from({ length: 5_001 }, (_, index) => `${index}`));
  const places = new Map([
    ['a', new Set(['x'])],
    ['b', looked],
  ]);
  const [detection] = boundDetections([{ observations: [], notAssessed: [], places }]);
  expect(detection!.places).toEqual([['a', ['x']]]);
  expect(detection!.notAssessed.map(({ check }) => check)).toEqual(['b']);
});
