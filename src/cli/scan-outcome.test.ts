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

type Run = [detector: string, status: string, cause?: string | undefined, source?: string];

function outcomeOf(
  scan: Partial<Pick<ScanWithRuns, 'status' | 'verdict' | 'runs_planned'>>,
  ...runs: readonly Run[]
): string {
  const given = {
    id: 'ID',
    status: 'completed',
    verdict: 'inconclusive',
    runs_planned: runs.length,
    runs_succeeded: runs.filter(([, status]) => status === 'succeeded').length,
    runs: runs.map(([detector, status, cause = null, source_id = 'a']) => ({
      detector,
      status,
      cause,
      source_id,
    })),
    ...scan,
  } as unknown as ScanWithRuns;
  return describeOutcome(given, cause => `It is ${cause}.`);
}

it('states the outcome and counts the runs that succeeded', () => {
  const [one, two, failed] = [
    ['website.tls', 'succeeded'],
    ['website.csp', 'succeeded'],
    ['website.page', 'failed'],
  ] as const satisfies Run[];
  expect(outcomeOf({})).toBe('Scan ID completed. Verdict: inconclusive. No runs were planned.');
  expect(outcomeOf({ verdict: 'pass' }, one)).toBe(
    'Scan ID completed. Verdict: pass. Its only run succeeded.',
  );
  expect(outcomeOf({ verdict: 'pass' }, one, two)).toBe(
    'Scan ID completed. Verdict: pass. All 2 runs succeeded.',
  );
  expect(outcomeOf({ status: 'failed' }, failed)).toBe(
    'Scan ID failed. Verdict: inconclusive. Its only run did not succeed. 1 run failed: website.page.',
  );
  expect(outcomeOf({}, one, two, failed)).toContain('2 of 3 runs succeeded.');
  expect(outcomeOf({ status: 'failed' }, failed, failed)).toContain('None of 2 runs succeeded.');
  expect(outcomeOf({ status: 'canceled', verdict: null, runs_planned: 0 })).toBe(
    'Scan ID was canceled. No runs were planned.',
  );
  expect(outcomeOf({ status: 'running', verdict: null }, one, two)).toMatch(/^Scan ID is running\. All/);
  expect(outcomeOf({ status: 'queued', verdict: null }, one, two)).toMatch(/^Scan ID is queued\. All/);
});

const after = (text: string) => text.replace(/^.*? succeeded\. ?/, '');

it.each<[string, readonly Run[]]>([
  ['', [['website.tls', 'succeeded']]],
  [
    '1 run could not assess every check: website.csp. The dashboard lists the reasons.',
    [
      ['website.tls', 'succeeded'],
      ['website.csp', 'succeeded', 'checks_not_assessed'],
    ],
  ],
  [
    '2 runs could not assess every check: website.csp, website.page. The dashboard lists the reasons.',
    [
      ['website.csp', 'succeeded', 'checks_not_assessed'],
      ['website.page', 'succeeded', 'checks_not_assessed'],
    ],
  ],
  [
    '1 run failed (not_assessed): website.headers. It is not_assessed.',
    [
      ['website.tls', 'succeeded'],
      ['website.headers', 'failed', 'not_assessed'],
    ],
  ],
  [
    '2 runs failed (timeout): website.tls, website.page. It is timeout. 1 run failed (crashed): website.csp. It is crashed.',
    [
      ['website.mail', 'succeeded'],
      ['website.tls', 'failed', 'timeout'],
      ['website.csp', 'failed', 'crashed'],
      ['website.page', 'failed', 'timeout'],
    ],
  ],
  [
    '3 runs on 2 sources failed (timeout): website.tls, website.page. It is timeout.',
    [
      ['website.tls', 'failed', 'timeout', 'a'],
      ['website.tls', 'failed', 'timeout', 'b'],
      ['website.page', 'failed', 'timeout', 'b'],
      ['website.page', 'succeeded', undefined, 'a'],
    ],
  ],
  [
    '1 run on 1 source could not assess every check: website.tls. The dashboard lists the reasons.',
    [
      ['website.tls', 'succeeded', 'checks_not_assessed', 'a'],
      ['website.tls', 'succeeded', undefined, 'b'],
    ],
  ],
  [
    '1 source was skipped (source_disconnected). It is source_disconnected.',
    [
      ['website.tls', 'succeeded', undefined, 'a'],
      ['website.tls', 'skipped', 'source_disconnected', 'b'],
      ['website.page', 'skipped', 'source_disconnected', 'b'],
    ],
  ],
  [
    '2 sources were skipped (scan_canceled). 1 source was scanned only in part (scan_canceled). It is scan_canceled.',
    [
      ['website.tls', 'succeeded', undefined, 'a'],
      ['website.page', 'skipped', 'scan_canceled', 'a'],
      ['website.tls', 'skipped', 'scan_canceled', 'b'],
      ['redis.users', 'skipped', 'scan_canceled', 'c'],
    ],
  ],
  [
    '2 sources were scanned only in part.',
    [
      ['website.tls', 'succeeded', undefined, 'a'],
      ['website.page', 'skipped', undefined, 'a'],
      ['website.tls', 'succeeded', undefined, 'b'],
      ['website.page', 'skipped', undefined, 'b'],
    ],
  ],
])('states what was not assessed: %j', (expected, runs) => {
  expect(after(outcomeOf({}, ...runs))).toBe(expected);
});
