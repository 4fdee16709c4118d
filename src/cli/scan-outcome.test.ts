import { expect, it } from 'vitest';
import type { Finding } from '../contract/findings.ts';
import type { ScanWithRuns } from '../contract/scans.ts';
import type { Severity } from '../contract/severity.ts';
import { describeOutcome, statusOf } from './scan-outcome.ts';

type Case = [
  status: ScanWithRuns['status'],
  verdict: ScanWithRuns['verdict'],
  runs: ScanWithRuns['runs'][number]['status'][],
  worst: Severity | undefined,
  failOn: Severity | undefined,
  exit: number,
];

it.each<Case>([
  ['completed', 'pass', ['succeeded'], undefined, 'info', 0],
  ['completed', 'fail', ['succeeded'], 'critical', undefined, 0],
  ['completed', 'fail', ['succeeded'], 'high', 'critical', 0],
  ['completed', 'fail', ['succeeded'], 'high', 'high', 1],
  ['completed', 'fail', ['succeeded'], 'critical', 'high', 1],
  ['completed', 'pass', ['succeeded'], 'info', 'info', 1],
  ['completed', 'fail', ['succeeded', 'failed'], 'high', 'high', 1],
  ['completed', 'fail', ['succeeded', 'failed'], 'high', 'critical', 3],
  ['completed', 'inconclusive', ['skipped'], undefined, undefined, 3],
  ['completed', 'inconclusive', [], undefined, 'high', 3],
  ['failed', 'fail', ['failed'], 'critical', 'low', 3],
  ['canceled', null, [], undefined, undefined, 3],
])('a scan that is %s with verdict %s, runs %j, worst finding %s, --fail-on %s exits with %i', (...parts) => {
  const [status, verdict, runs, worst, failOn, exit] = parts;
  const scan = { status, verdict, runs: runs.map(run => ({ status: run })) } as ScanWithRuns;
  expect(statusOf(scan, worst ? [{ severity: worst } as Finding] : [], failOn)).toBe(exit);
});

it('names the runs that did not assess all of their checks', () => {
  const run = (detector: string, cause: string | null) => ({ detector, cause });
  const scan = {
    id: 's',
    status: 'completed',
    verdict: 'inconclusive',
    runs_planned: 4,
    runs_succeeded: 3,
    runs: [
      run('website.tls', null),
      run('website.csp', 'checks_not_assessed'),
      run('website.page', 'checks_not_assessed'),
      run('website.headers', 'not_assessed'),
    ],
  } as unknown as ScanWithRuns;
  expect(describeOutcome(scan, cause => `It is ${cause}.`)).toBe(
    'Scan s completed, verdict inconclusive: 3 of 4 runs succeeded. Some checks were not assessed: website.csp, website.page. Not assessed (not_assessed): website.headers. It is not_assessed.',
  );
});
