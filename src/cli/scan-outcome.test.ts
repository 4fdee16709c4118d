import { expect, it } from 'vitest';
import type { Finding } from '../contract/findings.ts';
import type { ScanWithRuns } from '../contract/scans.ts';
import type { Severity } from '../contract/severity.ts';
import { statusOf } from './scan-outcome.ts';

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
