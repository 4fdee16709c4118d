import type { Mutant, TestName } from '../mutant.ts';

const inspection = 'src/scan/inspection.ts';
const scans = 'src/resources/scans/scans.ts';
const ends = 'src/resources/scans/end-scan.ts';
const stop = 'src/resources/scans/stop-scans.ts';
const wanted = 'src/database/while-wanted.ts';
const inspected = (test: string): TestName => ({ file: 'src/scan/inspection.test.ts', test });
const judged = (test: string): TestName => ({ file: 'test/resources/verdict.test.ts', test });
const stopped = (test: string): TestName => ({ file: 'test/resources/stop-scans.test.ts', test });
const aborted = (test: string): TestName => ({ file: 'src/database/while-wanted.test.ts', test });

/** The results of scans, their conclusions, and how scans end. */
export const scanMutants: readonly Mutant[] = [
  {
    name: 'A verification sends test input without a step-up',
    file: 'src/resources/scans/request-verification.ts',
    search: 'service.assertFullAllowed();',
    replacement: '',
    killedBy: {
      file: 'test/dashboard/findings.test.ts',
      test: 'requires a step-up for what only full scans assess',
    },
  },
  {
    name: 'A verification sends test input without a current proof of the domain',
    file: 'src/resources/scans/request-verification.ts',
    search: 'await assertFullDepth(transaction, source_id);',
    replacement: '',
    killedBy: {
      file: 'test/dashboard/findings.test.ts',
      test: 'requires a step-up for what only full scans assess',
    },
  },
  {
    name: 'A database to which another machine forwards counts as unreachable',
    file: 'src/detectors/mysql/exposure.ts',
    search: "if (over === 'network') return 'network';",
    replacement: '',
    killedBy: {
      file: 'src/detectors/golden.test.ts',
      test: 'no password, forwarded to',
    },
  },
  {
    name: 'A request for a scan locks what Watch waits for',
    file: 'src/resources/scans/request-scan.ts',
    search: '    oneRequestAtATime(transaction),\n    transaction.query<Scan>({',
    replacement:
      '    new Promise(done => setTimeout(done, 100)).then(() => oneRequestAtATime(transaction)),\n    transaction.query<Scan>({',
    killedBy: {
      file: 'test/database/lock-order.test.ts',
      test: 'lets a scan be requested while Watch starts one of the same source',
    },
  },
  {
    name: 'A scan passes although a run did not succeed',
    file: 'src/domain/verdict.ts',
    search: "runs.some(status => status !== 'succeeded')",
    replacement: "runs.every(status => status !== 'succeeded')",
    killedBy: judged('of runs with the statuses ["succeeded","failed"]'),
  },
  {
    name: 'A run without results succeeds',
    file: inspection,
    search: 'if (!detector.readsDetailsOnly && sawNothing(detector, detection))',
    replacement: 'if (false)',
    killedBy: inspected('fails the run of a detector that could assess nothing'),
  },
  {
    name: 'A run that observed a flaw fails',
    file: inspection,
    search: 'observations.length === 0 &&',
    replacement: '',
    killedBy: inspected('does not fail the run of a detector that assessed one check'),
  },
  {
    name: 'A run that assessed a check fails',
    file: inspection,
    search: 'notAssessed.filter(({ resolves }) => !resolves).length === checks.length &&',
    replacement: '',
    killedBy: inspected('does not fail the run of a detector that assessed one check'),
  },
  {
    name: 'A run that does not apply fails',
    file: inspection,
    search: ' &&\n    notAssessed.some(({ inapplicable }) => !inapplicable)\n  );',
    replacement: '\n  );',
    killedBy: inspected('fails the run of a detector that could assess nothing'),
  },
  {
    name: 'A check that was not assessed counts as assessed',
    file: inspection,
    search: 'checks.filter(({ id }) => !left.has(id))',
    replacement: 'checks.filter(({ id }) => id !== undefined || left.has(id))',
    killedBy: inspected('fails the run of a detector that could assess nothing'),
  },
  {
    name: 'The checks of a broken detector pass',
    file: inspection,
    search: "outcomes.push(...notAssessedFor([detector], describeCause('detector_error')));",
    replacement: '',
    killedBy: inspected('limits the failure of one detector to its own run'),
  },
  {
    name: 'A target reports any number of places',
    file: inspection,
    search: 'seen > placesPerScan || ',
    replacement: '',
    killedBy: inspected('accepts no more places of all detectors together'),
  },
  {
    name: 'A sandbox process reports any number of assessed places',
    file: inspection,
    search: ' || looked > assessedPlacesPerScan',
    replacement: '',
    killedBy: inspected('is refused if a check assessed more places than allowed'),
  },
  {
    name: 'A sandbox process reports any number of places of one check',
    file: inspection,
    search: 'if (Math.max(0, ...counts.values()) > placesPerCheck)',
    replacement: 'if (Math.max(0, ...counts.values()) > placesPerScan)',
    killedBy: inspected('is refused if a check has more places than allowed'),
  },
  {
    name: 'A sandbox process reports unknown checks',
    file: inspection,
    search: 'if (unknown !== undefined)',
    replacement: "if (unknown === '')",
    killedBy: inspected('is refused if it has not assessed a check that does not exist'),
  },
  {
    name: 'An expired acceptance counts in a verdict',
    file: 'src/resources/findings/findings.ts',
    search: "status = 'accepted' and accepted_until <= now()",
    replacement: "status = 'accepted' and accepted_until is null",
    killedBy: judged('that was accepted until a moment ago'),
  },
  {
    name: 'An acceptance does not count in a verdict',
    file: 'src/resources/findings/findings.ts',
    search: "status = 'accepted' and accepted_until <= now()",
    replacement: "status = 'accepted'",
    killedBy: judged('that is accepted until tomorrow'),
  },
  {
    name: 'A scan ends during a run',
    file: ends,
    search: "unfinished: sum('queued', 'running'),",
    replacement: "unfinished: sum('queued'),",
    killedBy: judged('of runs with the statuses ["succeeded","succeeded"]'),
  },
  {
    name: 'A scan ends twice',
    file: scans,
    search: "    .where('finished_at', 'is', null)\n    .forNoKeyUpdate(),",
    replacement: '    .forNoKeyUpdate(),',
    killedBy: judged('of runs with the statuses ["succeeded","succeeded"]'),
  },
  {
    name: 'A scan with only skipped runs has failed',
    file: ends,
    search: "statuses.every(status => status === 'skipped') ? 'canceled' : 'failed'",
    replacement: "statuses.length === 0 ? 'canceled' : 'failed'",
    killedBy: judged('of runs with the statuses ["skipped","skipped"]'),
  },
  {
    name: 'A canceled scan is started',
    file: 'src/resources/scans/scan-runs.ts',
    search: " and status = 'queued' returning id",
    replacement: ' returning id',
    killedBy: stopped('cancels a scan that a worker is about to start, and leaves it canceled'),
  },
  {
    name: 'A source that was disconnected is scanned',
    file: scans,
    search: "    .where('scan_authorized_at', 'is not', null)\n    .forNoKeyUpdate(),",
    replacement: '    .forNoKeyUpdate(),',
    killedBy: stopped('stops the runs of a disconnected source, and nothing of other sources'),
  },
  {
    name: 'A disconnected source is still being scanned',
    file: 'src/resources/sources/sources.ts',
    search: 'await skipRunsOf(transaction, id)',
    replacement: '[]',
    killedBy: stopped('stops the runs of a disconnected source, and nothing of other sources'),
  },
  {
    name: 'Runs that have ended are stopped again',
    file: stop,
    search: "where r.source_id = $1 and r.status in ('queued', 'running') and s.finished_at is null",
    replacement: 'where r.source_id = $1 and s.finished_at is null',
    killedBy: stopped('stops the runs of a disconnected source, and nothing of other sources'),
  },
  {
    name: 'Scans of a system are canceled with one of its sources',
    file: stop,
    search: 'else await endIfDone(transaction, scan, await runOutcomes(transaction, scan.id));',
    replacement: "else await endScan(transaction, scan, 'canceled');\n    void endIfDone;",
    killedBy: stopped('stops the runs of a disconnected source, and nothing of other sources'),
  },
  {
    name: 'A canceled scan leaves its runs running',
    file: stop,
    search:
      "await endUnfinishedRuns(transaction, { scanId }, { status: 'skipped', cause: 'scan_canceled' });",
    replacement: 'void endUnfinishedRuns;',
    killedBy: stopped('cancels a scan'),
  },
  {
    name: 'Canceled work continues',
    file: wanted,
    search: 'unwanted.abort();',
    replacement: 'void unwanted;',
    killedBy: aborted('aborts work that is no longer wanted, and returns nothing'),
  },
  {
    name: 'Work stops while the database does not answer',
    file: wanted,
    search: 'isWanted().catch(() => true)',
    replacement: 'isWanted().catch(() => false)',
    killedBy: aborted('continues while it is unknown whether the work is wanted'),
  },
  {
    name: 'Work continues after the worker was stopped',
    file: wanted,
    search: 'signal ? AbortSignal.any([signal, unwanted.signal]) : unwanted.signal',
    replacement: 'unwanted.signal',
    killedBy: aborted('aborts work with the caller’s signal, and rejects with its reason'),
  },
  {
    name: 'A cancel that waited for the planner leaves its runs queued',
    file: 'src/resources/scans/stop-scans.ts',
    search: '(await runOutcomes(transaction, scanId)).unfinished > 0',
    replacement: '(await runOutcomes(transaction, scanId)).unfinished < 0',
    killedBy: {
      file: 'test/database/lock-order.test.ts',
      test: 'cancels a scan with runs that are added at this moment',
    },
  },
];
