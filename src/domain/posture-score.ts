import { type Severity, severities } from '../contract/severity.ts';

/** Open findings of one source, by severity. */
export type OpenFindings = Readonly<Record<Severity, number>>;

/** Weight of one open finding by severity. */
export const weights: OpenFindings = { critical: 60, high: 20, medium: 5, low: 1, info: 0 };

/** Weight at which the score of a source is 50. */
export const half = 60;

/** Score of one source, 0 to 100: `100 × 60 / (60 + weight)`. docs/posture-score.md explains the formula. */
export function sourceScore(open: OpenFindings): number {
  const weight = severities.reduce((sum, severity) => sum + weights[severity] * open[severity], 0);
  return (100 * half) / (half + weight);
}

/** Rounded mean of the source scores. 100 only if every source has 100, and never rounded to 0. Undefined without sources. */
export function organizationScore(sources: readonly OpenFindings[]): number | undefined {
  if (sources.length === 0) return undefined;
  const mean = sources.reduce((sum, open) => sum + sourceScore(open), 0) / sources.length;
  return roundedScore(mean);
}

/** The mean of the scores of sources as the score of an organization. */
export function roundedScore(mean: number): number {
  return mean === 100 ? 100 : Math.min(99, Math.max(1, Math.round(mean)));
}

/** The open findings of all sources together. */
export function totalOpen(sources: readonly OpenFindings[]): OpenFindings {
  const sum = (severity: Severity) => sources.reduce((total, source) => total + source[severity], 0);
  return Object.fromEntries(severities.map(severity => [severity, sum(severity)])) as OpenFindings;
}
