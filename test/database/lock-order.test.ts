import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { organizationLock } from '../../src/database/organization-lock.ts';
import type { TenantTransaction } from '../../src/database/tenant-store.ts';
import { recordAssessments } from '../../src/resources/findings/check-assessments.ts';
import { commentOnFindings } from '../../src/resources/findings/comments.ts';
import { assignFindings } from '../../src/resources/findings/finding-work.ts';
import { decide } from '../../src/resources/findings/triage.ts';
import { removeMember } from '../../src/resources/people/memberships.ts';
import { recordPosture } from '../../src/resources/posture/posture.ts';
import { finishScanIfDone } from '../../src/resources/scans/end-scan.ts';
import { enqueueWatchedScans, requestScan } from '../../src/resources/scans/request-scan.ts';
import { requestVerification } from '../../src/resources/scans/request-verification.ts';
import {
  endRuns,
  endUnfinishedRuns,
  lockUnfinishedRuns,
  planRuns,
  startRuns,
} from '../../src/resources/scans/scan-runs.ts';
import { lockAuthorizedSource, lockUnfinishedScan } from '../../src/resources/scans/scans.ts';
import { cancelScan } from '../../src/resources/scans/stop-scans.ts';
import { disconnectSource } from '../../src/resources/sources/sources.ts';
import { depthOfFinding } from '../../src/scan/plan.ts';
import { type AuthorizedSource, authorizedSource, queuedScan } from '../support/authorized-source.ts';
import { storeFindings } from '../support/findings.ts';
import { raceBehindLock, untilWaiting } from '../support/held-lock.ts';
import { addPerson } from '../support/people.ts';
import { asOwner } from '../support/postgres.ts';
import { type SharedService, sharedService } from '../support/service.ts';

let service: SharedService;
beforeAll(async () => {
  service = await sharedService();
});

const first = '00000000-0000-4000-8000-000000000000';
const detectors = ['website.cookies', 'website.headers', 'website.tls'];

/** A scan whose runs are stored and indexed in another order than by id. */
async function scanWithRuns(source: AuthorizedSource): Promise<string> {
  const scanId = await queuedScan(source);
  await source.store.transaction(transaction =>
    planRuns(
      transaction,
      scanId,
      detectors.map(detector => ({ sourceId: source.sourceId, detector })),
    ),
  );
  await asOwner(service.database.connection, client =>
    client.query('update scan_runs set id = $2 where scan_id = $1 and detector = $3', [
      scanId,
      first,
      detectors.at(-1),
    ]),
  );
  return scanId;
}

type OnRuns = (transaction: TenantTransaction, scanId: string, sourceId: string) => Promise<unknown>;

it.each<[string, OnRuns]>([
  ['finishes its runs', lockUnfinishedRuns],
  ['starts its runs', startRuns],
  [
    'gives up its runs',
    (transaction, scanId) =>
      endUnfinishedRuns(transaction, { scanId }, { status: 'failed', cause: 'retries_exhausted' }),
  ],
])('of runs is the same if a scan is stopped while a worker %s', async (_what, work) => {
  const source = await authorizedSource(service);
  const scanId = await scanWithRuns(source);
  const lock = `select from scan_runs where scan_id = '${scanId}' and detector = '${detectors[0]}' for update`;
  const [canceled] = await raceBehindLock<unknown>(service.database.connection, lock, [
    () => source.person.transaction(transaction => cancelScan(transaction, scanId)),
    () => source.store.transaction(transaction => work(transaction, scanId, source.sourceId)),
  ]);
  expect(canceled).toBe(true);
});

it('cancels a scan with runs that are added at this moment', async () => {
  const source = await authorizedSource(service);
  const scanId = await queuedScan(source);
  const runs = detectors.map(detector => ({ sourceId: source.sourceId, detector }));
  let canceling: Promise<boolean> | undefined;
  await source.store.transaction(async transaction => {
    await lockUnfinishedScan(transaction, scanId);
    await planRuns(transaction, scanId, runs);
    canceling = source.person.transaction(other => cancelScan(other, scanId));
    await untilWaiting(service.database.connection, 1);
  });
  expect(await canceling).toBe(true);
  expect(
    await source.store.transaction(transaction => startRuns(transaction, scanId, source.sourceId)),
  ).toEqual([]);
  const ended = await source.store.queryOnce({
    text: 'select distinct status, cause from scan_runs where scan_id = $1',
    values: [scanId],
  });
  expect(ended).toEqual([{ status: 'skipped', cause: 'scan_canceled' }]);
});

/** A scan of a system with two sources, each with a run, and a function that finishes the run of one. */
async function scanOfTwo() {
  const source = await authorizedSource(service);
  const { store, systemId, sourceId: first } = source;
  const second = await store.transaction(async transaction => {
    const [added] = await transaction.query<{ id: string }>({
      text: `insert into sources (system_id, name, kind, host, connection_mode, status, scan_authorized_at)
        values ($1, 'W', 'website', 'other.example', 'direct', 'pending', now()) returning id`,
      values: [systemId],
    });
    return added!.id;
  });
  const scanId = await store.transaction(async transaction => {
    const request = { system_id: systemId, idempotency_key: randomUUID() };
    const { scan } = await requestScan(transaction, request, { privilegedConnections: false });
    const runs = [first, second].map(sourceId => ({ sourceId, detector: 'website.tls' }));
    await planRuns(transaction, scan.id, runs);
    return scan.id;
  });
  const conclude = (sourceId: string) =>
    store.transaction(async transaction => {
      await lockAuthorizedSource(transaction, sourceId);
      const runs = await lockUnfinishedRuns(transaction, scanId, sourceId);
      await endRuns(
        transaction,
        runs.map(run => ({ ...run, status: 'succeeded' })),
      );
      const lookedAt = new Date().toISOString();
      const passed = [{ check: 'tls.expired', outcome: 'passed', reason: null }] as const;
      await recordAssessments(transaction, { sourceId, scanId, lookedAt }, passed);
      await recordPosture(transaction, sourceId);
      return finishScanIfDone(transaction, scanId);
    });
  return { source, first, second, conclude };
}

it('lets two sources of one scan finish simultaneously', async () => {
  const { first, second, conclude } = await scanOfTwo();
  // Each has stored its results, which reference the scan, and neither has the lock on the day's score.
  const lock = 'lock table posture_scores in share row exclusive mode';
  const both = [() => conclude(first), () => conclude(second)];
  const ended = await raceBehindLock(service.database.connection, lock, both);
  expect(ended.filter(end => end !== undefined)).toEqual([{ status: 'completed', verdict: 'pass' }]);
});

it('lets a source be disconnected while another one of its scan finishes', async () => {
  const { source, first, second, conclude } = await scanOfTwo();
  const { connection } = service.database;
  const [, disconnected] = await asOwner(connection, async holder => {
    await holder.query('begin; lock table posture_scores in share row exclusive mode');
    const concluding = conclude(second);
    await untilWaiting(connection, 1);
    const disconnecting = source.person.transaction(transaction => disconnectSource(transaction, first));
    await untilWaiting(connection, 2);
    await holder.query('commit');
    return Promise.all([concluding, disconnecting]);
  });
  // Either of them may end the scan, since both are released at once.
  expect(disconnected.status).toBe('disconnected');
  expect(await source.store.queryOnce({ text: 'select status from scans' })).toEqual([
    { status: 'completed' },
  ]);
});

it('lets a finding be verified while it is triaged', async () => {
  const source = await authorizedSource(service);
  const [id] = await storeFindings(source, [{}]);
  const { connection } = service.database;
  const both = await asOwner(connection, async holder => {
    await holder.query('begin');
    await holder.query(`select from findings where id = '${id}' for update`);
    const verified = source.person.transaction(transaction =>
      requestVerification(transaction, id!, {
        privilegedConnections: false,
        depthOfFinding,
        assertFullAllowed: () => {},
      }),
    );
    await untilWaiting(connection, 1);
    const decided = source.person.transaction(transaction =>
      decide(transaction, [id!], { decision: 'false_positive', reason: 'A test' }),
    );
    await untilWaiting(connection, 2);
    await holder.query('commit');
    return Promise.all([verified, decided]);
  });
  expect(both).toMatchObject([{ profile: 'verify_finding' }, [{ status: 'false_positive' }]]);
});

it('lets a scan be requested while Watch starts one of the same source', async () => {
  const source = await authorizedSource(service);
  const { connection } = service.database;
  const { text, values } = organizationLock('scans', source.organizationId);
  const started = asOwner(connection, async holder => {
    await holder.query('begin');
    await holder.query(text, [...values!]);
    const due = source.store.transaction(transaction => enqueueWatchedScans(transaction, [source.sourceId]));
    await untilWaiting(connection, 1);
    // An insert updates the last scan of the source: before it has the lock, Watch would wait for it.
    const requested = source.store.transaction(transaction =>
      requestScan(
        transaction,
        { source_id: source.sourceId, idempotency_key: randomUUID() },
        { privilegedConnections: false },
      ),
    );
    await untilWaiting(connection, 2);
    await holder.query('commit');
    return Promise.all([due, requested]);
  });
  await expect(started).resolves.toMatchObject([[{ source_id: source.sourceId }], { created: true }]);
});

const remove = ({ organizationId }: AuthorizedSource, personId: string) =>
  service.storage.people.transaction(transaction =>
    removeMember(transaction, {
      organizationId,
      personId,
      actor: { kind: 'operator', id: 'test' },
      by: 'owner',
    }),
  );

it('lets a member be removed while a finding is assigned to them', async () => {
  const source = await authorizedSource(service);
  const [id, owned] = await storeFindings(source, [{}, {}]);
  const { id: person } = await addPerson(service, source.organizationId, 'admin');
  const assign = (finding: string) =>
    source.person.transaction(transaction => assignFindings(transaction, [finding], person));
  await assign(owned!);
  const lock = `select from sources where id = '${source.sourceId}' for no key update`;
  const [removed] = await raceBehindLock<unknown>(service.database.connection, lock, [
    () => remove(source, person),
    () => assign(id!).catch(error => error.code),
  ]);
  expect(removed).toBe(true);
  const left = await source.store.queryOnce({ text: 'select from findings where owner_id is not null' });
  expect(left).toEqual([]);
});

it('lets a member be removed while they mention another one', async () => {
  const source = await authorizedSource(service);
  const [id] = await storeFindings(source, [{}]);
  const owners = await Promise.all([1, 2].map(() => addPerson(service, source.organizationId, 'owner')));
  const [mentioned, author] = owners.map(owner => owner.id).sort();
  const lock = `select from memberships where person_id = '${mentioned}' for update`;
  const [removed] = await raceBehindLock<unknown>(service.database.connection, lock, [
    () => remove(source, author!),
    () =>
      source.person.transaction(transaction =>
        commentOnFindings(transaction, author!, [id!], `<@${mentioned}>`),
      ),
  ]);
  expect(removed).toBe(true);
});
