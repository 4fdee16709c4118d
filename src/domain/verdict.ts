import type { RunStatus, Verdict } from '../contract/scans.ts';
import type { Severity } from '../contract/severity.ts';

/**
 * Computes the verdict of a scan from the statuses of its runs and the severities of open findings on its sources. Duplicates can be
 * omitted.
 */
export function verdictOf(runs: readonly RunStatus[], open: readonly Severity[]): Verdict {
  if (open.includes('critical') || open.includes('high')) return 'fail';
  if (runs.length === 0 || runs.some(status => status !== 'succeeded')) return 'inconclusive';
  return open.includes('medium') || open.includes('low') ? 'warn' : 'pass';
}

export const verdictMeanings: Readonly<Record<Verdict, string>> = {
  pass: 'All runs succeeded. No findings above info are open.',
  warn: 'All runs succeeded. Medium or low findings are open.',
  fail: 'Critical or high findings are open.',
  inconclusive: 'Some runs did not succeed, so findings may be missing.',
};
