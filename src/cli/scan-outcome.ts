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

/** Formats the outcome, and what was not assessed with the reasons. */
export function describeOutcome(scan: ScanWithRuns, describeCause: DescribeCause): string {
  const verdict = scan.verdict === null ? [] : [`Verdict: ${scan.verdict}.`];
  const outcome = [`Scan ${scan.id} ${statusTexts[scan.status]}.`, ...verdict, describeRuns(scan)];
  return forTerminal([...outcome, ...gapsOf(scan, describeCause)].join(' '));
}

const statusTexts: Record<ScanWithRuns['status'], string> = {
  queued: 'is queued',
  running: 'is running',
  completed: 'completed',
  failed: 'failed',
  canceled: 'was canceled',
};

function describeRuns({ runs_planned: planned, runs_succeeded: succeeded }: ScanWithRuns): string {
  if (planned === 0) return 'No runs were planned.';
  if (planned === 1) return succeeded === 1 ? 'Its only run succeeded.' : 'Its only run did not succeed.';
  if (succeeded === planned) return `All ${planned} runs succeeded.`;
  return `${succeeded === 0 ? 'None' : succeeded} of ${planned} runs succeeded.`;
}

type Run = ScanWithRuns['runs'][number];

/** One sentence, and the reason, for each cause of runs that failed, were skipped, or did not assess all of their checks. */
export function gapsOf({ runs }: ScanWithRuns, describeCause: DescribeCause): string[] {
  const explained = (cause: string | null) => (cause === null ? [] : [describeCause(cause)]);
  const failed = byCause(runs.filter(({ status }) => status === 'failed')).map(([cause, of]) =>
    [`${runsOf(of, runs)} failed${code(cause)}: ${detectorsOf(of)}.`, ...explained(cause)].join(' '),
  );
  const skipped = byCause(runs.filter(({ status }) => status === 'skipped')).flatMap(([cause, of]) => {
    const sources = sourcesOf(of);
    const isWhole = (id: string) => runs.every(run => run.source_id !== id || run.status === 'skipped');
    const whole = sources.filter(isWhole).length;
    const rest = sources.length - whole;
    return [
      ...(whole > 0 ? [`${counted(whole, 'source was', 'sources were')} skipped${code(cause)}.`] : []),
      ...(rest > 0
        ? [`${counted(rest, 'source was', 'sources were')} scanned only in part${code(cause)}.`]
        : []),
      ...explained(cause),
    ].join(' ');
  });
  const partial = runs.filter(({ status, cause }) => status === 'succeeded' && cause !== null);
  if (partial.length === 0) return [...failed, ...skipped];
  const few = `${runsOf(partial, runs)} could not assess every check: ${detectorsOf(partial)}.`;
  return [...failed, ...skipped, `${few} The dashboard lists the reasons.`];
}

function byCause(runs: readonly Run[]): [cause: string | null, runs: Run[]][] {
  const groups = new Map<string | null, Run[]>();
  for (const run of runs) groups.set(run.cause, [...(groups.get(run.cause) ?? []), run]);
  return [...groups];
}

const code = (cause: string | null) => (cause === null ? '' : ` (${cause})`);
const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;
const sourcesOf = (runs: readonly Run[]) => [...new Set(runs.map(run => run.source_id))];
const detectorsOf = (runs: readonly Run[]) => [...new Set(runs.map(({ detector }) => detector))].join(', ');

/** Also counts the sources of the runs if the scan has several. @param all runs of the scan */
function runsOf(runs: readonly Run[], all: readonly Run[]): string {
  const count = counted(runs.length, 'run', 'runs');
  if (sourcesOf(all).length < 2) return count;
  return `${count} on ${counted(sourcesOf(runs).length, 'source', 'sources')}`;
}
