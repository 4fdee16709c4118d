import { expect, it } from 'vitest';
import { DetectionBuilder } from './detection.ts';
import type { Check } from './detector.ts';

const check = { id: 'a.b' } as Check;

it('distinguishes places whose names differ in non-ASCII characters, or only at their end', () => {
  const found = new DetectionBuilder();
  const names = [
    '\u00e9',
    '\u00fc',
    '\u00fc\u00fc',
    '\u{1f512}',
    '?',
    'x'.repeat(2_000),
    `${'x'.repeat(2_000)}y`,
  ];
  for (const name of names) found.observe(check, `schema.${name}`, 'Seen.');
  const locators = found.result().observations.map(({ locator }) => locator);
  expect(new Set(locators).size).toBe(names.length);
  for (const locator of locators) expect(locator).toMatch(/^[\x20-\x7e]+$/);
});
