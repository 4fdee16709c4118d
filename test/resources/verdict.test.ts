import { beforeAll, expect, it } from 'vitest';
import { finishScanIfDone } from '../../src/resources/scans/end-scan.ts';
import { endRuns, planRuns, startRuns } from '../../src/resources/scans/scan-runs.ts';
import { cancelScan } from '../../src/resources/scans/stop-scans.ts';
import { type AuthorizedSource, authorizedSource, queuedScan } from '../support/authorized-source.ts';
import { storeFindings } from '../support/findings.ts';
import { asOwner } from '../support/postgres.ts';
import { type SharedService, sharedService } from '../support/service.ts';

let service: SharedService;
beforeAll(async () => {
  service = await sharedService();
});

const detectors = ['website.headers', 'website.tls'];

/** Scans the source: its runs end with these statuses, in order. */
async function scan(
  source: AuthorizedSource,
  statuses: readonly ('succeeded' | 'failed' | 'skipped')[],
): Promise<unknown> {
  const scanId = await queuedScan(source);
  return source.store.transaction(async transaction => {
    const planned = detectors.slice(0, statuses.length);
    await planRuns(
      transaction,
      scanId,
      planned.map(detector => ({ sourceId: source.sourceId, detector })),
    );
    const runs = await startRuns(transaction, scanId, source.sourceId);
    for (const [index, run] of runs.entries()) {
      expect(await finishScanIfDone(transaction, scanId), 'while a run is unfinished').toBeUndefined();
      await endRuns(transaction, [{ ...run, status: statuses[index]! }]);
    }
    const end = await finishScanIfDone(transaction, scanId);
    expect(await finishScanIfDone(transaction, scanId), 'once it has ended').toBeUndefined();
    const [ended] = await transaction.query({
      text: 'select status, verdict, runs_succeeded from scans where id = $1',
      values: [scanId],
    });
    expect(ended).toMatchObject(end!);
    return ended;
  });
}

it.each([
  [['succeeded', 'succeeded'], { status: 'completed', verdict: 'pass', runs_succeeded: 2 }],
  [['succeeded', 'failed'], { status: 'completed', verdict: 'inconclusive', runs_succeeded: 1 }],
  [['failed', 'skipped'], { status: 'failed', verdict: 'inconclusive', runs_succeeded: 0 }],
  [['skipped', 'skipped'], { status: 'canceled', verdict: 'inconclusive', runs_succeeded: 0 }],
] as const)('of runs with the statuses %j', async (statuses, expected) => {
  expect(await scan(await authorizedSource(service), statuses)).toEqual(expected);
});

it.each([
  ['is open', null, null, 'fail'],
  ['is a false positive', 'false_positive', null, 'pass'],
  ['is accepted until tomorrow', 'accepted', '1 day', 'pass'],
  // The worker has not updated its status yet.
  ['was accepted until a moment ago', 'accepted', '-1 second', 'fail'],
])('of a source with a high finding that %s', async (_, triage, until, verdict) => {
  const source = await authorizedSource(service);
  const [id] = await storeFindings(source, [{ severity: 'high' }]);
  await asOwner(service.database.connection, client =>
    client.query('update findings set triage = $2, accepted_until = now() + $3::interval where id = $1', [
      id,
      triage,
      until,
    ]),
  );
  expect(await scan(source, ['succeeded'])).toMatchObject({ verdict });
});

it('of a scan without runs counts the findings of its source', async () => {
  const source = await authorizedSource(service);
  await storeFindings(source, [{ severity: 'high' }]);
  const scanId = await queuedScan(source);
  await source.person.transaction(transaction => cancelScan(transaction, scanId));
  const [ended] = await source.store.queryOnce({
    text: 'select status, verdict from scans where id = $1',
    values: [scanId],
  });
  expect(ended).toEqual({ status: 'canceled', verdict: 'fail' });
});

it('does not count findings of a source that is not scanned', async () => {
  const source = await authorizedSource(service);
  const [other] = await source.store.transaction(transaction =>
    transaction.query<{ id: string }>({
      text: `insert into sources (system_id, name, kind, host, connection_mode) values ($1, 'O', 'website', 'o', 'direct')
        returning id`,
      values: [source.systemId],
    }),
  );
  await storeFindings({ ...source, sourceId: other!.id }, [{ severity: 'critical' }]);
  expect(await scan(source, ['succeeded'])).toMatchObject({ verdict: 'pass' });
});
