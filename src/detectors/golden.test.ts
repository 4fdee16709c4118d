import { describe, expect, it } from 'vitest';
import { stepHeading } from '../contract/remediation-text.ts';
import { severities } from '../contract/severity.ts';
import { allChecks, checkById, detectorsFor } from './catalogue.ts';
import type { Detector, Surface } from './detector.ts';
import type { GoldenCase } from './golden-case.ts';
import { remediationOf } from './remediation/step.ts';

const surfaces: readonly Surface[] = ['website', 'postgres', 'mysql', 'redis', 'supabase', 'probe', 'shield'];
const detectors = surfaces.flatMap(surface => detectorsFor(surface) as readonly Detector<unknown>[]);

/** A detector named `website.tls` has its cases in `website/tls/cases.ts`. */
async function casesOf(detector: Detector<unknown>): Promise<readonly GoldenCase<unknown>[]> {
  const folder = detector.name.replace('.', '/');
  const file = new URL(`./${folder}/cases.ts`, import.meta.url).href;
  const { cases } = (await import(/* @vite-ignore */ file)) as { cases: readonly GoldenCase<unknown>[] };
  return cases;
}

/** Parts of a website's capture that are collected only for detectors that read them. */
const optionalParts = [
  ...['tls', 'caa', 'cors', 'exposure', 'scripts', 'texts', 'revisited'],
  ...['domain', 'methods', 'injections', 'reflections'],
];

/** Secrets in captures, which a detector might repeat by mistake. */
const plantedSecrets = ['hunter2hunter2', 'v4lu3', 'a1b2c3'];

describe.each(detectors.map(detector => ({ detector, name: detector.name })))(
  '$name',
  async ({ detector }) => {
    const cases = await casesOf(detector);

    it.each(cases.map(example => ({ example, name: example.name })))('$name', ({ example }) => {
      const { observations, notAssessed } = detector.detect(example.capture);
      const places = observations.map(({ check, locator }) => ({ check, locator }));
      const expected = example.expected.map(entry =>
        typeof entry === 'string'
          ? { check: entry, locator: expect.any(String) }
          : { check: entry.check, locator: entry.locator },
      );
      const byCheck = (a: { check: string }, b: { check: string }) => a.check.localeCompare(b.check);
      expect(places.toSorted(byCheck)).toEqual(expected.toSorted(byCheck));
      const usual = new Map(detector.checks.map(({ id, severity }) => [id, severity]));
      const rated = observations.map(one => ({ severity: usual.get(one.check), ...one }));
      for (const entry of example.expected) {
        if (typeof entry === 'string' || entry.severity === undefined) continue;
        expect(rated).toContainEqual(expect.objectContaining(entry));
      }
      expect(notAssessed.map(({ check }) => check).sort()).toEqual([...(example.notAssessed ?? [])].sort());
      for (const { check, seen, locator } of observations) {
        expect(detector.checks.map(({ id }) => id)).toContain(check);
        expect(seen.length).toBeGreaterThan(10);
        expect(seen.length).toBeLessThanOrEqual(500);
        expect(locator.length).toBeLessThanOrEqual(600);
        for (const secret of plantedSecrets) expect(seen + locator).not.toContain(secret);
      }
    });

    it('has a case in which each check fires, and one in which it does not', () => {
      for (const { id } of detector.checks) {
        const fires = (example: GoldenCase<unknown>) =>
          detector.detect(example.capture).observations.some(({ check }) => check === id);
        expect(cases.some(fires), `${id} fires nowhere`).toBe(true);
        const passes = (example: GoldenCase<unknown>) =>
          !fires(example) && !detector.detect(example.capture).notAssessed.some(({ check }) => check === id);
        expect(cases.some(passes), `${id} passes nowhere`).toBe(true);
      }
    });

    it('reads only the parts that it declares', () => {
      for (const { capture } of cases) {
        const read = new Set<string | symbol>();
        const watched = new Proxy(capture as object, {
          get(target, name) {
            read.add(name);
            return Reflect.get(target, name);
          },
        });
        detector.detect(watched);
        for (const part of detector.reads ? optionalParts : []) {
          expect(detector.reads?.includes(part as never) || !read.has(part), `it reads ${part}`).toBe(true);
        }
      }
    });

    it('gives the same result for the same capture, and does not change it', () => {
      for (const { capture } of cases) {
        const before = JSON.stringify(capture);
        expect(detector.detect(capture)).toEqual(detector.detect(JSON.parse(before)));
        expect(JSON.stringify(capture)).toBe(before);
      }
    });
  },
);

describe('catalogue', () => {
  it('has unique detector names and unique dotted check ids', () => {
    const ids = detectors.flatMap(({ checks }) => checks.map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
    expect(allChecks().length).toBe(ids.length);
    for (const id of ids) {
      expect(id).toMatch(/^[a-z]+\.[a-z0-9_]+$/);
      expect(checkById(id)?.id).toBe(id);
    }
    expect(new Set(detectors.map(({ name }) => name)).size).toBe(detectors.length);
    expect(checkById('tls.unheard_of')).toBeUndefined();
  });

  it.each(allChecks())('$id is written for people', check => {
    expect(severities).toContain(check.severity);
    expect(check.title.length).toBeGreaterThan(8);
    expect(check.title.length).toBeLessThanOrEqual(90);
    expect(check.title).not.toMatch(/\.$/);
    expect(check.why.length).toBeGreaterThan(40);
    expect(check.why.length).toBeLessThanOrEqual(300);
    expect(check.why).toMatch(/\.$/);
    const { advice, steps } = remediationOf(check.id, check.fix);
    expect(advice.length).toBeGreaterThan(20);
    expect(advice.length).toBeLessThanOrEqual(900);
    expect(new Set(steps.map(stepHeading)).size).toBe(steps.length);
    for (const { code, replace = {} } of steps) {
      expect(code).not.toMatch(/^\s|\s$|[\t`]|…/);
      for (const placeholder of Object.keys(replace)) expect(code).toContain(placeholder);
    }
    expect(check.references.length).toBeGreaterThan(0);
    for (const reference of check.references) expect(new URL(reference).protocol).toBe('https:');
  });
});
