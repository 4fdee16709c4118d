import type { Finding } from '../contract/findings.ts';
import type { ScanWithRuns } from '../contract/scans.ts';
import type { Severity } from '../contract/severity.ts';
import { hasAtLeast } from './group-findings.ts';
import { forTerminal } from './terminal.ts';

/** The exit status of `parapet scan`, for CI. */
export const exitStatus = { fine: 0, findings: 1, error: 2, incomplete: 3 } as const;

/**
 * A scan with a run that did not succeed never counts as fine, but what it found counts. Runs that succeeded without some of their
 * checks are named in the output: on most targets there are some.
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

/** The outcome in one line, then what was not assessed, and why. */
export function describeOutcome(scan: ScanWithRuns): string {
  const runs = `${scan.runs_succeeded} of ${scan.runs_planned} runs succeeded`;
  const outcome = `Scan ${scan.id} ${scan.status}, verdict ${scan.verdict ?? 'none'}: ${runs}.`;
  return forTerminal([outcome, ...gapsOf(scan)].join(' '));
}

/** Runs that did not assess all of their checks, by their cause: one sentence each. */
export function gapsOf({ runs }: ScanWithRuns): string[] {
  const byCause = new Map<string, Set<string>>();
  for (const { cause, detector } of runs) {
    if (cause === null) continue;
    byCause.set(cause, (byCause.get(cause) ?? new Set()).add(detector));
  }
  return [...byCause].map(([cause, detectors]) =>
    cause === 'checks_not_assessed'
      ? `Some checks were not assessed: ${[...detectors].join(', ')}.`
      : `Not assessed (${cause}): ${[...detectors].join(', ')}.`,
  );
}
