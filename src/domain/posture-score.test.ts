import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Severity, severities } from '../contract/severity.ts';
import { type OpenFindings, organizationScore, sourceScore } from './posture-score.ts';

const none: OpenFindings = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };
const count = fc.nat({ max: 1000 });
const open = fc.record({ critical: count, high: count, medium: count, low: count, info: count });

it.each([
  [none, 100],
  [{ ...none, info: 9 }, 100],
  [{ ...none, low: 1 }, 98],
  [{ ...none, medium: 1 }, 92],
  [{ ...none, high: 1 }, 75],
  [{ ...none, critical: 1 }, 50],
  [{ ...none, critical: 2, high: 3 }, 25],
])('scores %o as %i', (findings, score) => {
  expect(organizationScore([findings])).toBe(score);
});

it('has no score without sources', () => {
  expect(organizationScore([])).toBeUndefined();
});

it('never rises with a further finding, and falls with every one that is a flaw', () => {
  fc.assert(
    fc.property(open, fc.constantFrom(...severities), (findings, severity: Severity) => {
      const more = { ...findings, [severity]: findings[severity] + 1 };
      if (severity === 'info') expect(sourceScore(more)).toBe(sourceScore(findings));
      else expect(sourceScore(more)).toBeLessThan(sourceScore(findings));
    }),
  );
});

it('says 100 only when no source has a flaw, and never 0', () => {
  fc.assert(
    fc.property(fc.array(open, { minLength: 1, maxLength: 300 }), sources => {
      const score = organizationScore(sources)!;
      const spotless = sources.every(findings => sourceScore(findings) === 100);
      expect(score === 100).toBe(spotless);
      expect(score).toBeGreaterThanOrEqual(1);
    }),
  );
});
