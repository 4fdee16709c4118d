import type { Severity } from '../contract/severity.ts';

/** Open findings of one source, by severity. */
export type OpenFindings = Readonly<Record<Severity, number>>;

/** How much one open finding of a severity weighs. Information weighs nothing: it is not a flaw. */
const weights: OpenFindings = { critical: 60, high: 20, medium: 5, low: 1, info: 0 };

/** The weight at which a source has lost half of its score. */
const half = 60;

/**
 * How well one source stands, 0 to 100: `100 × 60 / (60 + weight)`, where an open critical finding weighs 60, a high
 * one 20, a medium one 5 and a low one 1. So the first flaw costs most, every further one still costs something, and
 * what is worse always costs more. `docs/posture-score.md` has the reasons and a table.
 */
export function sourceScore(open: OpenFindings): number {
  const weight = Object.entries(weights).reduce(
    (sum, [severity, each]) => sum + each * open[severity as Severity],
    0,
  );
  return (100 * half) / (half + weight);
}

/**
 * How well an organization stands: the mean of its sources, a whole number. It is 100 only when every source is, and 0
 * never by rounding. Undefined without a source: nobody has looked.
 */
export function organizationScore(sources: readonly OpenFindings[]): number | undefined {
  if (sources.length === 0) return undefined;
  const mean = sources.reduce((sum, open) => sum + sourceScore(open), 0) / sources.length;
  return mean === 100 ? 100 : Math.min(99, Math.max(1, Math.round(mean)));
}

/** The open findings of all sources together. */
export function totalOpen(sources: readonly OpenFindings[]): OpenFindings {
  const sum = (severity: Severity) => sources.reduce((total, source) => total + source[severity], 0);
  return {
    critical: sum('critical'),
    high: sum('high'),
    medium: sum('medium'),
    low: sum('low'),
    info: sum('info'),
  };
}
