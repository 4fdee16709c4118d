import type { Finding } from '../contract/findings.ts';
import type { ScanWithRuns } from '../contract/scans.ts';
import type { Severity } from '../contract/severity.ts';
import { hasAtLeast } from './group-findings.ts';
import { forTerminal } from './terminal.ts';

/** The exit status of `parapet scan`, for CI. */
export const exitStatus = { success: 0, findings: 1, error: 2, incomplete: 3 } as const;

/**
 * Findings take precedence over unsuccessful runs. Checks that were not assessed do not change the status: most targets have some.
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
  return everywhere ? exitStatus.success : exitStatus.incomplete;
}

/** What a code means and what to do. Provided by the program: the client has no texts of causes. */
export type DescribeCause = (cause: string) => string;

/** Formats the outcome and the runs with checks that were not assessed. */
export function describeOutcome(scan: ScanWithRuns, describeCause: DescribeCause): string {
  const runs = `${scan.runs_succeeded} of ${scan.runs_planned} runs succeeded`;
  const outcome = `Scan ${scan.id} ${scan.status}, verdict ${scan.verdict ?? 'none'}: ${runs}.`;
  return forTerminal([outcome, ...gapsOf(scan, describeCause)].join(' '));
}

/** One sentence for each cause, with the detectors that did not assess all of their checks. */
export function gapsOf({ runs }: ScanWithRuns, describeCause: DescribeCause): string[] {
  const byCause = new Map<string, Set<string>>();
  for (const { cause, detector } of runs) {
    if (cause === null) continue;
    byCause.set(cause, (byCause.get(cause) ?? new Set()).add(detector));
  }
  return [...byCause].map(([cause, detectors]) =>
    cause === 'checks_not_assessed'
      ? `Some checks were not assessed: ${[...detectors].join(', ')}.`
      : `Not assessed (${cause}): ${[...detectors].join(', ')}. ${describeCause(cause)}`,
  );
}
