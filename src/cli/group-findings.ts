import type { Finding } from '../contract/findings.ts';
import { type Severity, severities } from '../contract/severity.ts';
import { rankChecks } from '../domain/fix-first.ts';

/** Findings with the same check, severity and texts. */
export interface FlawGroup {
  readonly category: string;
  readonly title: string;
  readonly remediation: string;
  /** Ids of the findings, in their order. */
  readonly ids: readonly string[];
}

/** Most severe first, then in the order in which to fix them. Severities without findings are omitted. */
export function groupFindings(
  findings: readonly Finding[],
): { readonly severity: Severity; readonly flaws: readonly FlawGroup[] }[] {
  return severities
    .map(severity => {
      const flaws = new Map<string, FlawGroup & { readonly ids: string[] }>();
      for (const finding of findings.filter(found => found.severity === severity)) {
        const { id, category, title, remediation } = finding;
        const key = JSON.stringify([category, title, remediation]);
        const flaw = flaws.get(key) ?? { category, title, remediation, ids: [] };
        flaw.ids.push(id);
        flaws.set(key, flaw);
      }
      const rank = rankOf([...flaws.values()], severity);
      return { severity, flaws: [...flaws.values()].sort((a, b) => rank(a) - rank(b)) };
    })
    .filter(({ flaws }) => flaws.length > 0);
}

function rankOf(flaws: readonly FlawGroup[], severity: Severity): (flaw: FlawGroup) => number {
  const counts = flaws.map(({ category, ids }) => ({ check: category, severity, count: ids.length }));
  const ranked = rankChecks(counts).map(({ check }) => check);
  const listed = ranked.length > 0 ? ranked : flaws.map(({ category }) => category).sort();
  return ({ category }) => listed.indexOf(category);
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
