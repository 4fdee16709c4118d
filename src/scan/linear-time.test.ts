import { expect, it } from 'vitest';
import { detectorHunts, reportHunt, surfaceHunt } from '../../test/support/capture-hunt.ts';
import { superlinear } from '../../test/support/growth.ts';
import { texts } from '../../test/support/hostile-captures.ts';
import type { TargetSurface } from '../detectors/detector.ts';

/** Processing a capture takes linear time, whichever part of it a target makes long. */

const surfaces: readonly TargetSurface[] = ['website', 'postgres', 'mysql', 'redis', 'supabase'];
const all = (await Promise.all(surfaces.map(detectorHunts))).flat();

it.each(all)('$detector', { timeout: 120_000 }, ({ reads, hunts }) => {
  const hostile = new Set<string>();
  for (const hunt of hunts) {
    for (const name of hunt.hostile) hostile.add(name);
    expect(superlinear(hunt.prepare, hunt.bound), hunt.name).toBe(undefined);
  }
  expect(reads.filter(name => !hostile.has(name))).toEqual([]);
});

it.each(surfaces)('compares the lists of a capture: %s', { timeout: 120_000 }, async surface => {
  const { prepare, bound } = await surfaceHunt(surface);
  expect(superlinear(prepare, bound)).toBe(undefined);
});

it.each(Object.keys(texts))('bounds the results of detectors: %s', { timeout: 120_000 }, form => {
  const { prepare, bound } = reportHunt(form);
  expect(superlinear(prepare, bound)).toBe(undefined);
});
