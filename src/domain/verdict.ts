import type { RunStatus, Verdict } from '../contract/scans.ts';
import type { Severity } from '../contract/severity.ts';

/**
 * A scan's verdict from how its runs ended and the severities of the findings that are open on its sources:
 * an open critical or high one fails it, whatever else; a run that did not succeed leaves the rest unknown. Of runs that ended
 * alike, one is enough.
 */
export function verdictOf(runs: readonly RunStatus[], open: readonly Severity[]): Verdict {
  if (open.includes('critical') || open.includes('high')) return 'fail';
  if (runs.length === 0 || runs.some(status => status !== 'succeeded')) return 'inconclusive';
  return open.includes('medium') || open.includes('low') ? 'warn' : 'pass';
}

/** What a verdict means, for people. */
export const verdictMeanings: Readonly<Record<Verdict, string>> = {
  pass: 'Every run looked at what it is for, and nothing worse than information is open.',
  warn: 'Every run looked at what it is for. Medium or low findings are open.',
  fail: 'Critical or high findings are open on what was scanned.',
  inconclusive: 'Some runs could not look, so what is not reported may still be there.',
};
