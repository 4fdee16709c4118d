import type { Finding } from '../contract/findings.ts';
import type { ScanWithRuns } from '../contract/scans.ts';
import type { Severity } from '../contract/severity.ts';
import { hasAtLeast } from './group-findings.ts';
import { forTerminal } from './terminal.ts';

/** The exit status of `parapet scan`, for CI. */
export const exitStatus = { fine: 0, findings: 1, error: 2, incomplete: 3 } as const;

/**
 * A scan with a run that did not succeed never counts as fine, but what it found counts. The API does not tell which checks a run
 * that succeeded could not assess.
 */
export function statusOf(
  scan: ScanWithRuns,
  findings: readonly Finding[],
  failOn: Severity | undefined,
): (typeof exitStatus)[keyof typeof exitStatus] {
  if (scan.status !== 'completed') return exitStatus.incomplete;
  if (failOn && hasAtLeast(findings, failOn)) return exitStatus.findings;
  const everywhere =
    scan.verdict !== 'inconclusive' && scan.runs.every(({ status }) => status === 'succeeded');
  return everywhere ? exitStatus.fine : exitStatus.incomplete;
}

/** One line: what the scan came to. */
export function describeOutcome(scan: ScanWithRuns): string {
  const runs = `${scan.runs_succeeded} of ${scan.runs_planned} runs succeeded`;
  return forTerminal(`Scan ${scan.id} ${scan.status}, verdict ${scan.verdict ?? 'none'}: ${runs}.`);
}
