import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { requestScan } from '../../src/resources/scans/request-scan.ts';
import { beginRuns } from '../../src/resources/scans/runs-of-source.ts';
import { endRuns, hasUnfinishedRuns, planRuns, startRuns } from '../../src/resources/scans/scan-runs.ts';
import { lockAuthorizedSource } from '../../src/resources/scans/scans.ts';
import { cancelScan } from '../../src/resources/scans/stop-scans.ts';
import { disconnectSource } from '../../src/resources/sources/sources.ts';
import { type AuthorizedSource, authorizedSource, queuedScan } from '../support/authorized-source.ts';
import { untilWaiting } from '../support/held-lock.ts';
import { asOwner } from '../support/postgres.ts';
import { type SharedService, sharedService } from '../support/service.ts';

let service: SharedService;
beforeAll(async () => {
  service = await sharedService();
});

/** Creates two runs for each source, the first of which has succeeded. */
async function insertRuns(source: AuthorizedSource, scanId: string, sourceIds: readonly string[]) {
  await source.store.transaction(async transaction => {
    const runs = sourceIds.flatMap(sourceId =>
      ['website.headers', 'website.tls'].map(detector => ({ sourceId, detector })),
    );
    await planRuns(transaction, scanId, runs);
    for (const sourceId of sourceIds) {
      const started = await startRuns(transaction, scanId, sourceId);
      const run = started.find(({ detector }) => detector === 'website.headers')!;
      await endRuns(transaction, [{ ...run, status: 'succeeded' }]);
    }
  });
}

const runsOf = ({ store }: AuthorizedSource, scanId: string) =>
  store.queryOnce({
    text: `select detector, status, cause from scan_runs where scan_id = $1 order by source_id, detector`,
    values: [scanId],
  });
const statusOf = async ({ store }: AuthorizedSource, scanId: string) =>
  (await store.queryOnce({ text: 'select status, verdict from scans where id = $1', values: [scanId] }))[0];

const headers = { detector: 'website.headers', status: 'succeeded', cause: null };
const tls = (status: string, cause: string | null) => ({ detector: 'website.tls', status, cause });

it('cancels a scan: finished runs stay, the others are skipped', async () => {
  const source = await authorizedSource(service);
  const scanId = await queuedScan(source);
  await insertRuns(source, scanId, [source.sourceId]);
  const cancel = () => source.person.transaction(transaction => cancelScan(transaction, scanId));
  expect(await hasUnfinishedRuns(source.store, { scanId, sourceId: source.sourceId })).toBe(true);
  expect(await cancel()).toBe(true);
  expect(await runsOf(source, scanId)).toEqual([headers, tls('skipped', 'scan_canceled')]);
  expect(await statusOf(source, scanId)).toEqual({ status: 'canceled', verdict: 'inconclusive' });
  expect(await hasUnfinishedRuns(source.store, { scanId, sourceId: source.sourceId })).toBe(false);
  expect(await cancel(), 'a second time').toBe(false);
});

it('cancels a scan that a worker is about to start, and leaves it canceled', async () => {
  const source = await authorizedSource(service);
  const { sourceId } = source;
  const scanId = await queuedScan(source);
  await asOwner(service.database.connection, async holder => {
    await holder.query('begin');
    await holder.query('select from scans where id = $1 for update', [scanId]);
    // It has read that the scan is queued, and waits to change it.
    const beginning = source.store.transaction(transaction =>
      beginRuns(transaction, { organizationId: source.store.organizationId, scanId, sourceId }, () => [
        'website.tls',
      ]),
    );
    await untilWaiting(service.database.connection, 1);
    await holder.query(
      "update scans set status = 'canceled', verdict = 'inconclusive', finished_at = now() where id = $1",
      [scanId],
    );
    await holder.query('commit');
    await expect(beginning).resolves.toBeUndefined();
  });
  expect(await statusOf(source, scanId)).toEqual({ status: 'canceled', verdict: 'inconclusive' });
  expect(await runsOf(source, scanId)).toEqual([]);
});

it('stops the runs of a disconnected source, and nothing of other sources', async () => {
  const source = await authorizedSource(service);
  const [other] = await source.store.transaction(transaction =>
    transaction.query<{ id: string }>({
      text: `insert into sources (system_id, name, kind, host, connection_mode, status, scan_authorized_at)
        values ($1, 'O', 'website', 'o', 'direct', 'pending', now()) returning id`,
      values: [source.systemId],
    }),
  );
  const own = await queuedScan(source);
  await insertRuns(source, own, [source.sourceId]);
  const ofSystem = async (sourceIds: readonly string[]) => {
    const { scan } = await source.store.transaction(transaction =>
      requestScan(
        transaction,
        { system_id: source.systemId, idempotency_key: randomUUID() },
        { privilegedConnections: false },
      ),
    );
    await insertRuns(source, scan.id, sourceIds);
    return scan.id;
  };
  const [both, onlyThis] = [await ofSystem([source.sourceId, other!.id]), await ofSystem([source.sourceId])];
  await source.person.transaction(transaction => disconnectSource(transaction, source.sourceId));

  const stopped = [headers, tls('skipped', 'source_disconnected')];
  expect(await runsOf(source, own)).toEqual(stopped);
  expect(await statusOf(source, own)).toMatchObject({ status: 'canceled' });
  expect(await runsOf(source, onlyThis)).toEqual(stopped);
  expect(await statusOf(source, onlyThis), 'no unfinished runs').toMatchObject({ status: 'completed' });
  expect(await statusOf(source, both)).toEqual({ status: 'running', verdict: null });
  expect(await hasUnfinishedRuns(source.store, { scanId: both, sourceId: other!.id })).toBe(true);
  const locked = (id: string) =>
    source.store.transaction(transaction => lockAuthorizedSource(transaction, id));
  expect(await locked(source.sourceId)).toBeUndefined();
  expect(await locked(other!.id)).toMatchObject({ id: other!.id });
});
