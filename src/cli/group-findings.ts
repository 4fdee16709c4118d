import type { Finding } from '../contract/findings.ts';
import { type Severity, severities } from '../contract/severity.ts';

/** Findings with the same check, severity and texts. */
export interface FlawGroup {
  readonly category: string;
  readonly title: string;
  readonly remediation: string;
  /** Ids of the findings, in their order. */
  readonly ids: readonly string[];
}

/** Most severe first, then by category. Severities without findings are omitted. */
export function groupFindings(
  findings: readonly Finding[],
): { readonly severity: Severity; readonly flaws: readonly FlawGroup[] }[] {
  return severities
    .map(severity => {
      const flaws = new Map<string, FlawGroup>();
      for (const finding of findings.filter(found => found.severity === severity)) {
        const { id, category, title, remediation } = finding;
        const key = JSON.stringify([category, title, remediation]);
        flaws.set(key, { category, title, remediation, ids: [...(flaws.get(key)?.ids ?? []), id] });
      }
      return {
        severity,
        flaws: [...flaws.values()].sort((a, b) => (a.category < b.category ? -1 : 1)),
      };
    })
    .filter(({ flaws }) => flaws.length > 0);
}

/** Formats the number of findings of each severity: `2 critical, 5 high`. */
export function countBySeverity(findings: readonly Finding[]): string {
  const counts = severities
    .map(severity => ({ severity, count: findings.filter(found => found.severity === severity).length }))
    .filter(({ count }) => count > 0);
  return counts.map(({ severity, count }) => `${count} ${severity}`).join(', ') || 'none';
}

/** Whether any finding has the severity `threshold` or higher. */
export function hasAtLeast(findings: readonly Pick<Finding, 'severity'>[], threshold: Severity): boolean {
  const limit = severities.indexOf(threshold);
  return findings.some(({ severity }) => severities.indexOf(severity) <= limit);
}
