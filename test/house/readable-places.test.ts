import { expect, it } from 'vitest';
import { readablePlace } from '../../src/contract/readable-place.ts';
import { detectorsFor } from '../../src/detectors/catalogue.ts';
import type { Detector, Surface } from '../../src/detectors/detector.ts';
import type { GoldenCase } from '../../src/detectors/golden-case.ts';

const surfaces: readonly Surface[] = ['website', 'postgres', 'mysql', 'redis', 'supabase', 'probe', 'shield'];

/** The locators of each check in all golden cases. */
async function locatorsByCheck(): Promise<Map<string, Set<string>>> {
  const found = new Map<string, Set<string>>();
  for (const detector of surfaces.flatMap(one => detectorsFor(one) as readonly Detector<unknown>[])) {
    const file = `../../src/detectors/${detector.name.replace('.', '/')}/cases.ts`;
    const { cases } = (await import(/* @vite-ignore */ file)) as { cases: readonly GoldenCase<unknown>[] };
    for (const { check, locator } of cases.flatMap(({ capture }) => detector.detect(capture).observations)) {
      found.set(check, (found.get(check) ?? new Set()).add(locator));
    }
  }
  return found;
}

/** A URL or a host, which people read as it is, or words that name the thing. */
const readable = /^(?:https?:\/\/\S+|[a-z0-9-]+\.[a-z0-9.-]+|[A-Z].*)$/;

it('every check has a readable form for its locators, and different locators have different ones', async () => {
  const places = await locatorsByCheck();
  expect(places.size).toBeGreaterThan(200);
  for (const [check, locators] of places) {
    const texts = [...locators].map(locator => readablePlace(check, locator));
    for (const text of texts) expect(text, check).toMatch(readable);
    expect(new Set(texts).size, check).toBe(locators.size);
  }
});
