import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TenantStore } from '../../src/database/tenant-store.ts';
import { applyFindingChanges } from '../../src/resources/findings/finding-changes.ts';
import { type Decision, decide } from '../../src/resources/findings/triage.ts';
import { listPostureScores, recordPosture } from '../../src/resources/posture/posture.ts';
import { requestVerification } from '../../src/resources/scans/request-verification.ts';
import { recordDomainProof, requestDomainProof } from '../../src/resources/sources/domain-proofs.ts';
import { disconnectSource } from '../../src/resources/sources/sources.ts';
import { depthOfFinding } from '../../src/scan/plan.ts';
import { reconcileAndSave } from '../../src/worker/tasks/inspect-source.ts';
import { type AuthorizedSource, authorizedSource, queuedScan } from '../support/authorized-source.ts';
import { dueTurn } from '../support/due-turn.ts';
import { auditLogsLock, countWaiting, untilWaiting } from '../support/held-lock.ts';
import { poll } from '../support/poll.ts';
import { asOwner } from '../support/postgres.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.close());

const day = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * day);

async function finding(
  { store, systemId, sourceId }: AuthorizedSource,
  severity = 'high',
  check = 'tls.expired',
): Promise<string> {
  const rows = await store.transaction(async transaction => {
    const inserted = await transaction.query<{ id: string }>({
      text: `insert into findings (system_id, source_id, category, fingerprint, locator, severity, title, remediation,
          seen, hipaa) values ($1, $2, $5, $3, 'l', $4, 't', 'r', 's', false) returning id`,
      values: [systemId, sourceId, randomUUID(), severity, check],
    });
    await recordPosture(transaction, sourceId);
    return inserted;
  });
  return rows[0]!.id;
}

const take = ({ person }: AuthorizedSource, id: string | string[], decision: Decision) =>
  person.transaction(transaction => decide(transaction, [id].flat(), decision));

const statusOf = async ({ store }: AuthorizedSource, id: string) =>
  (
    await store.queryOnce<{ status: string }>({
      text: 'select status from findings where id = $1',
      values: [id],
    })
  )[0]?.status;

it('accepts until a date, expires, and shows the history with people and reasons', async () => {
  const source = await authorizedSource(service);
  const id = await finding(source);
  await take(source, id, {
    decision: 'accepted',
    reason: 'Behind the VPN until the move',
    until: inDays(30),
  });
  expect(await statusOf(source, id)).toBe('accepted');
  expect(await source.store.read(session => listPostureScores(session, 30))).toMatchObject([
    { score: 100, high: 0 },
  ]);
  await source.store.transaction(transaction =>
    transaction.query({ text: "update findings set accepted_until = now() - interval '1 second'" }),
  );
  await Promise.all([dueTurn(service), dueTurn(service)]);
  expect(await statusOf(source, id)).toBe('open');
  expect(await source.store.read(session => listPostureScores(session, 30))).toMatchObject([
    { score: 75, high: 1 },
  ]);
  const decisions = await source.store.queryOnce({
    text: 'select number, decision, reason, actor_kind from finding_decisions order by number',
  });
  expect(decisions).toEqual([
    { number: 1, decision: 'accepted', reason: 'Behind the VPN until the move', actor_kind: 'person' },
    { number: 2, decision: 'expired', reason: null, actor_kind: 'service' },
  ]);
});

it.each([
  ['in the past', -1],
  ['more than a year away', 367],
])('does not accept until a date %s, and writes nothing', async (_, days) => {
  const source = await authorizedSource(service);
  const id = await finding(source);
  const acceptance = take(source, id, { decision: 'accepted', reason: 'r', until: inDays(days) });
  await expect(acceptance).rejects.toMatchObject({ code: 'acceptance_out_of_range' });
  expect(await statusOf(source, id)).toBe('open');
  expect(await source.store.queryOnce({ text: 'select from finding_decisions' })).toEqual([]);
});

it("does not touch another organization's finding", async () => {
  const source = await authorizedSource(service);
  const stranger = await authorizedSource(service);
  const id = await finding(source);
  await expect(take(stranger, id, { decision: 'false_positive', reason: 'r' })).rejects.toMatchObject({
    code: 'not_found',
  });
  expect(await statusOf(source, id)).toBe('open');
  const verification = stranger.person.transaction(transaction =>
    requestVerification(transaction, id, {
      privilegedConnections: false,
      depthOfFinding,
      assertFullAllowed: () => {},
    }),
  );
  expect(await verification).toBeUndefined();
});

it('triages many findings at once, all or none', async () => {
  const source = await authorizedSource(service);
  const ids = await Promise.all(Array.from({ length: 20 }, () => finding(source)));
  const missing = randomUUID();
  const refused = take(source, [ids[0]!, missing, ids[1]!], { decision: 'false_positive', reason: 'r' });
  await expect(refused).rejects.toMatchObject({
    code: 'not_found',
    details: { fields: [{ path: 'ids.1', message: 'is not an existing finding' }] },
  });
  expect(await statusOf(source, ids[0]!)).toBe('open');
  const decided = await take(source, ids, { decision: 'false_positive', reason: 'A test site' });
  expect(decided).toEqual(ids.map(id => ({ id, status: 'false_positive' })));
  expect(await source.store.read(session => listPostureScores(session, 1))).toMatchObject([
    { score: 100, high: 0 },
  ]);
  const audited = await source.store.queryOnce({
    text: `select object_id, detail from audit_entries where action = 'finding.false_positive' order by sequence`,
  });
  const detailOf = (id: string) => (id === ids[0] ? { reason: 'A test site' } : { same_reason_as: ids[0] });
  expect(audited).toEqual(ids.map(id => ({ object_id: id, detail: detailOf(id) })));
  expect(await service.storage.system.brokenAuditChains()).toEqual([]);
});

it('counts the triage of two people on one source simultaneously', async () => {
  const source = await authorizedSource(service);
  const ids = [await finding(source), await finding(source)];
  const decision = { decision: 'false_positive', reason: 'r' } as const;
  let isDecided = false;
  const second = await source.person.transaction(async transaction => {
    await decide(transaction, [ids[0]!], decision);
    const deciding = take(source, ids[1]!, decision).finally(() => {
      isDecided = true;
    });
    // Before the first one's commit, which the second must include in its counts.
    const { connection } = service.database;
    await poll('the second one', async () => isDecided || (await countWaiting(connection)) === 1);
    return { deciding };
  });
  await second.deciding;
  expect(await source.store.read(session => listPostureScores(session, 1))).toMatchObject([
    { score: 100, high: 0 },
  ]);
});

it.each([
  ['shield.detects_only', /^is assessed by Shield/],
  ['probe.silent', /^is about the reports of the probe/],
])('does not verify a finding of %s, which no scan decides', async (check, message) => {
  const source = await authorizedSource(service);
  const id = await finding(source, 'high', check);
  const verification = source.person.transaction(transaction =>
    requestVerification(transaction, id, {
      privilegedConnections: true,
      depthOfFinding,
      assertFullAllowed: () => {},
    }),
  );
  await expect(verification).rejects.toMatchObject({
    code: 'nothing_to_scan',
    details: { fields: [{ path: 'id', message: expect.stringMatching(message) }] },
  });
  expect(await source.store.queryOnce({ text: 'select from scans' })).toEqual([]);
});

it.each([
  ['reflection.parameter_as_markup', 'shop.example parameter q'],
  ['exposure.source_map', 'https://shop.example source map, full scan'],
])(
  'verifies a finding of %s at %s, which only full scans assess, with a current proof',
  async (check, place) => {
    const source = await authorizedSource(service);
    const id = await finding(source, 'high', check);
    await source.store.queryOnce({
      text: 'update findings set locator = $2 where id = $1',
      values: [id, place],
    });
    const verify = (store: TenantStore) =>
      store.transaction(transaction =>
        requestVerification(transaction, id, {
          privilegedConnections: false,
          depthOfFinding,
          assertFullAllowed: () => {},
        }),
      );
    const refused = { code: 'domain_not_proven' };
    await expect(verify(source.person)).rejects.toMatchObject(refused);
    await source.person.transaction(transaction => requestDomainProof(transaction, source.sourceId));
    await expect(verify(source.person)).rejects.toMatchObject(refused);
    await source.person.transaction(transaction =>
      recordDomainProof(transaction, source.sourceId, 'dns_txt'),
    );
    await expect(verify(source.store)).rejects.toMatchObject({ code: 'forbidden' });
    expect(await verify(source.person)).toMatchObject({ profile: 'verify_finding' });
  },
);

it('verifies a finding with one scan, however often it is requested at once', async () => {
  const source = await authorizedSource(service);
  const id = await finding(source);
  const scans = await Promise.all(
    [1, 2, 3].map(() =>
      source.person.transaction(transaction =>
        requestVerification(transaction, id, {
          privilegedConnections: false,
          depthOfFinding,
          assertFullAllowed: () => {},
        }),
      ),
    ),
  );
  expect(new Set(scans.map(scan => scan?.id)).size).toBe(1);
  expect(scans[0]).toMatchObject({ profile: 'verify_finding', source_id: source.sourceId });
});

it('counts every connected source in the score, even if several change simultaneously', async () => {
  const one = await authorizedSource(service);
  const others = await Promise.all(
    Array.from({ length: 8 }, async (_, index) => {
      const rows = await one.store.transaction(transaction =>
        transaction.query<{ id: string }>({
          text: `insert into sources (system_id, name, kind, host, connection_mode, status, scan_authorized_at)
            values ($1, $2, 'website', 'h', 'direct', 'pending', now()) returning id`,
          values: [one.systemId, `source ${index}`],
        }),
      );
      return { ...one, sourceId: rows[0]!.id };
    }),
  );
  await Promise.all(others.map(source => finding(source, 'critical')));
  expect(await one.store.read(session => listPostureScores(session, 1))).toMatchObject([
    { score: 50, sources: 8, critical: 8 },
  ]);
  await Promise.all(
    others.map(({ person, sourceId }) =>
      person.transaction(transaction => disconnectSource(transaction, sourceId)),
    ),
  );
  expect(await one.store.read(session => listPostureScores(session, 1))).toMatchObject([
    { score: null, sources: 0, critical: 0 },
  ]);
});

it('reopens a finding whose severity increased since triage, and no other', async () => {
  const source = await authorizedSource(service);
  const { store, sourceId, systemId } = source;
  const scanId = await queuedScan(source);
  const id = await finding(source, 'medium');
  await take(source, id, { decision: 'false_positive', reason: 'r' });
  const seenAs = (severity: 'low' | 'medium' | 'high') =>
    store.transaction(transaction => {
      const told = { title: 't', remediation: 'r', seen: 's', hipaa: false };
      const place = {
        fingerprint: 'f',
        formerFingerprints: [],
        category: 'tls.expired',
        locator: 'l',
        subject: null,
      };
      const updated = [{ id, flaw: { ...place, ...told, severity } }];
      const changes = { opened: [], reopened: [], updated, resolved: [] };
      return applyFindingChanges(transaction, { sourceId, systemId, scanId }, changes);
    });
  for (const severity of ['low', 'medium'] as const) {
    await seenAs(severity);
    expect(await statusOf(source, id)).toBe('false_positive');
  }
  await seenAs('high');
  expect(await statusOf(source, id)).toBe('open');
  const entries = await store.queryOnce({
    text: `select object_id, detail from audit_entries where action = 'finding.reopened'`,
  });
  expect(entries).toEqual([{ object_id: id, detail: { reason: 'Severity increased since triage.' } }]);
});

it('does not deadlock if a source is disconnected while findings of another are triaged', async () => {
  const source = await authorizedSource(service);
  const [watched] = await source.store.transaction(transaction =>
    transaction.query<{ id: string }>({
      text: `with added as (insert into sources (system_id, name, kind, host, connection_mode, status, scan_authorized_at)
          values ($1, 'watched', 'website', 'h', 'direct', 'pending', now()) returning id)
        insert into watches (source_id, every_hours, next_scan_at, turned_on_by)
          select id, 24, now(), gen_random_uuid() from added returning source_id as id`,
      values: [source.systemId],
    }),
  );
  const id = await finding(source);
  const { connection } = service.database;
  const both = await asOwner(connection, async holder => {
    await holder.query('begin');
    await holder.query(auditLogsLock);
    const disconnected = source.person.transaction(transaction => disconnectSource(transaction, watched!.id));
    await untilWaiting(connection, 1);
    const decided = take(source, id, { decision: 'false_positive', reason: 'r' });
    await untilWaiting(connection, 2);
    await holder.query('commit');
    return Promise.all([disconnected, decided]);
  });
  expect(both[0].status).toBe('disconnected');
  expect(await source.store.read(session => listPostureScores(session, 1))).toMatchObject([
    { sources: 1, high: 0 },
  ]);
});

it('does not deadlock if a scan reopens a finding while another is triaged', async () => {
  const source = await authorizedSource(service);
  const scanId = await queuedScan(source);
  const decided = await finding(source);
  const inspected = async (severity: 'low' | 'high') =>
    source.store.transaction(async transaction => {
      const flaw = {
        fingerprint: 'f',
        formerFingerprints: [],
        category: 'csp.b',
        locator: 'l',
        subject: null,
      };
      const told = { title: 't', remediation: 'r', seen: 's', hipaa: false };
      const look = {
        source: { id: second, system_id: source.systemId },
        scanId,
        lookedAt: new Date().toISOString(),
        category: null,
      };
      await reconcileAndSave(
        transaction,
        look,
        {
          runs: [],
          assessed: new Set(['csp.b']),
          places: new Map(),
          covered: new Map(),
          outcomes: [{ check: 'csp.b', outcome: 'observed', reason: null }],
          seen: [{ ...flaw, severity, ...told }],
        },
        [],
      );
    });
  const [{ id: second }] = (await source.store.transaction(transaction =>
    transaction.query<{ id: string }>({
      text: `insert into sources (system_id, name, kind, host, connection_mode) values ($1, 's', 'website', 'h', 'direct')
        returning id`,
      values: [source.systemId],
    }),
  )) as [{ id: string }];
  await inspected('low');
  const [low] = await source.store.queryOnce<{ id: string }>({
    text: 'select id from findings where source_id = $1',
    values: [second],
  });
  await take(source, low!.id, { decision: 'false_positive', reason: 'r' });
  const { connection } = service.database;
  await asOwner(connection, async holder => {
    await holder.query('begin');
    await holder.query(auditLogsLock);
    const inspection = inspected('high');
    await untilWaiting(connection, 1);
    const decision = take(source, decided, { decision: 'false_positive', reason: 'r' });
    await untilWaiting(connection, 2);
    await holder.query('commit');
    return Promise.all([inspection, decision]);
  });
  expect(await statusOf(source, low!.id)).toBe('open');
});
