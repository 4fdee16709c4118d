import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { EventChannel } from '../../src/contract/events.ts';
import { recordAssessments } from '../../src/resources/findings/check-assessments.ts';
import { recordPosture } from '../../src/resources/posture/posture.ts';
import { finishScanIfDone } from '../../src/resources/scans/end-scan.ts';
import { endRuns, planRuns, startRuns } from '../../src/resources/scans/scan-runs.ts';
import { type AuthorizedSource, authorizedSource, queuedScan } from '../support/authorized-source.ts';
import { eventRow, storeEvents } from '../support/events.ts';
import { storeFindings } from '../support/findings.ts';
import { addPerson, type TestPerson } from '../support/people.ts';
import { asOwner } from '../support/postgres.ts';
import { type SharedService, sharedService } from '../support/service.ts';

let service: SharedService;
beforeAll(async () => {
  service = await sharedService();
});

let source: AuthorizedSource;
let admin: TestPerson;
let path: string;
beforeEach(async () => {
  source = await authorizedSource(service);
  admin = await addPerson(service, source.organizationId, 'admin', { steppedUp: true });
  path = `/organizations/${source.organizationId}`;
});

const get = async (rest: string) => (await admin.client.get(path + rest)).json;
const post = async (rest: string, body: object = {}) => admin.client.post(path + rest, body);
const asAnyone = (text: string, values: unknown[] = []) =>
  asOwner(service.database.connection, client => client.query(text, values));
const visitedHoursAgo = (hours: number) =>
  asAnyone('update memberships set visited_at = now() - make_interval(mins => $2) where person_id = $1', [
    admin.id,
    hours * 60,
  ]);

describe('the overview', () => {
  it('is empty at first, and counts nothing as a change', async () => {
    const organizationId = await service.createOrganization();
    const { client } = await addPerson(service, organizationId, 'member');
    const { json } = await client.get(`/organizations/${organizationId}/overview`);
    expect(json).toEqual({
      score: null,
      not_scanned: 0,
      overdue: 0,
      mine_overdue: 0,
      open: { critical: 0, high: 0, medium: 0, low: 0, info: 0 },
      fix_first: [],
      trend: [],
      changes: { since: null, opened: 0, resolved: 0, reopened: 0, decided: 0 },
      running: [],
      attention: [],
      attention_total: 0,
      systems: 0,
      sources: 0,
      scans: 0,
      backup: null,
    });
  });

  it('lists no check to fix first of a disconnected source', async () => {
    const other = await authorizedSource(service);
    await storeFindings(source, [{ severity: 'high' }, { severity: 'low', category: 'website.a' }]);
    const checks = async () =>
      (await get('/overview')).fix_first.map(({ check }: { check: string }) => check);
    expect(await checks()).toEqual(['website.tls.expired', 'website.a']);
    await asAnyone(`update sources set status = 'disconnected', scan_authorized_at = null where id = $1`, [
      other.sourceId,
    ]);
    expect(await checks()).toHaveLength(2);
    await asAnyone(`update sources set status = 'disconnected', scan_authorized_at = null where id = $1`, [
      source.sourceId,
    ]);
    expect(await checks()).toEqual([]);
  });

  it('fills the list with the checks that remain without disconnected sources', async () => {
    const lost = (
      await post('/sources', {
        system_id: source.systemId,
        name: 'Old',
        kind: 'website',
        host: 'old.example',
      })
    ).json.source.id;
    const often = Array.from({ length: 25 }, (_, index) => `lost.check_${index}`);
    await storeFindings({ ...source, sourceId: lost }, [
      ...often.map(category => ({ severity: 'critical', category })),
      { severity: 'critical', category: 'website.a' },
    ]);
    await storeFindings(source, [
      { severity: 'high', category: 'exposure.backup' },
      { severity: 'high', category: 'website.a' },
      { severity: 'high', category: 'website.a' },
      { severity: 'low', category: 'website.b' },
    ]);
    await asAnyone(`update sources set status = 'disconnected', scan_authorized_at = null where id = $1`, [
      lost,
    ]);
    const listed = (await get('/overview')).fix_first as { check: string; severity: string; count: number }[];
    expect(listed.map(({ check, severity, count }) => [check, severity, count])).toEqual([
      ['exposure.backup', 'high', 1],
      ['website.a', 'high', 2],
      ['website.b', 'low', 1],
    ]);
  });

  it('says when the installation was last backed up, to owners only', async () => {
    const owner = await addPerson(service, source.organizationId, 'owner', { steppedUp: true });
    const backupOf = async (person: TestPerson) => (await person.client.get(`${path}/overview`)).json.backup;
    await asAnyone('delete from backups');
    expect(await backupOf(owner)).toEqual({ last_at: null });
    await asAnyone(`insert into backups (made_at, scheduled, encrypted, bytes, row_count)
      values ('2026-01-02T02:00:00Z', true, true, 1, 1), ('2026-01-01T02:00:00Z', true, true, 1, 1)`);
    expect(await backupOf(owner)).toEqual({ last_at: '2026-01-02T02:00:00.000+00:00' });
    expect(await backupOf(admin)).toBeNull();
  });

  it('shows the score, open findings, running scans and what needs attention', async () => {
    await storeFindings(source, [{ severity: 'high' }, { severity: 'low' }, { resolved: true }]);
    const scanId = await queuedScan(source);
    const draft = await post('/sources', {
      system_id: source.systemId,
      name: 'New',
      kind: 'website',
      host: 'new.example',
    });
    const overview = await get('/overview');
    expect(overview).toMatchObject({
      score: 74,
      open: { high: 1, low: 1 },
      running: [{ id: scanId, status: 'queued', target: { name: 'W' } }],
      attention: [{ id: draft.json.source.id, state: { next: { action: 'accept_risk' } } }],
      attention_total: 1,
      systems: 1,
      sources: 2,
      scans: 1,
    });
    expect(overview.trend).toMatchObject([{ score: 74, high: 1 }]);
  });

  it('counts changes since the previous visit, which ended at least an hour ago', async () => {
    const [first] = await storeFindings(source, [{}]);
    expect((await get('/overview')).changes.since).toBeNull();
    await visitedHoursAgo(3);
    await asAnyone(`update finding_episodes set opened_at = now() - interval '5 hours'`);
    await storeFindings(source, [{}, { resolved: true }, { episodes: 2 }]);
    await post('/findings/triage', {
      ids: [first],
      decision: { decision: 'false_positive', reason: 'r' },
    });
    const { changes } = await get('/overview');
    expect(changes).toMatchObject({ opened: 3, resolved: 2, reopened: 1, decided: 1 });
    expect(Date.now() - Date.parse(changes.since)).toBeGreaterThan(2.9 * 3_600_000);
    await visitedHoursAgo(0.5);
    expect((await get('/overview')).changes, 'the same visit continues').toEqual(changes);
  });

  it('lists a source whose last scan assessed nothing', async () => {
    const before = await get('/overview');
    expect(before).toMatchObject({ attention_total: 1, not_scanned: 1 });
    expect(before.attention).toMatchObject([{ id: source.sourceId, score: null, last_scan: null }]);
    const scanId = await queuedScan(source);
    await source.store.transaction(async transaction => {
      await planRuns(transaction, scanId, [{ sourceId: source.sourceId, detector: 'website.tls' }]);
      const runs = await startRuns(transaction, scanId, source.sourceId);
      await endRuns(
        transaction,
        runs.map(run => ({ ...run, status: 'failed', cause: 'dns_failed' })),
      );
      await finishScanIfDone(transaction, scanId);
    });
    const { attention } = await get('/overview');
    expect(attention).toMatchObject([{ id: source.sourceId, last_scan: { id: scanId, status: 'failed' } }]);
    const { scan } = await get(`/scans/${scanId}`);
    expect(scan).toMatchObject({
      status: 'failed',
      verdict: 'inconclusive',
      meaning: expect.stringMatching(/runs did not succeed/),
      runs_ended: 1,
      runs: [{ detector: 'website.tls', status: 'failed', cause: expect.stringMatching(/DNS/) }],
    });
  });
});

it('lists a source whose last scan is outdated', async () => {
  const scanId = await queuedScan(source);
  await source.store.transaction(transaction => recordPosture(transaction, source.sourceId));
  await asAnyone(
    `insert into source_postures (organization_id, source_id, critical, high, medium, low, info)
      values ($1, $2, 0, 0, 0, 0, 0) on conflict do nothing`,
    [source.organizationId, source.sourceId],
  );
  for (const [days, total] of [
    [89, 0],
    [91, 1],
  ]) {
    await asAnyone(
      `update scans set status = 'completed', verdict = 'pass', finished_at = now() - make_interval(days => $2) where id = $1`,
      [scanId, days],
    );
    expect((await get('/overview')).attention_total, `${days} days`).toBe(total);
  }
});

it('gives no score to a source without an assessment', async () => {
  const unreachable = await authorizedSource(service);
  const { client } = await addPerson(service, unreachable.organizationId, 'member');
  const overview = async () =>
    (await client.get(`/organizations/${unreachable.organizationId}/overview`)).json;
  const scanId = await queuedScan(unreachable);
  const assess = (outcome: string) =>
    unreachable.store.transaction(async transaction => {
      await recordAssessments(
        transaction,
        { sourceId: unreachable.sourceId, scanId, lookedAt: new Date().toISOString() },
        [
          {
            check: 'tls.expired',
            outcome: outcome as 'passed',
            reason: outcome === 'passed' ? null : 'It did not answer.',
          },
        ],
      );
      await recordPosture(transaction, unreachable.sourceId);
    });
  await assess('not_assessed');
  expect(await overview()).toMatchObject({ score: null, not_scanned: 1 });
  await assess('passed');
  expect(await overview()).toMatchObject({ score: 100, not_scanned: 0 });
});

describe('scans', () => {
  it('are started once for a target, and stopped', async () => {
    const started = await Promise.all([1, 2].map(() => post('/scans', { source_id: source.sourceId })));
    const [{ scan }] = started.map(({ json }) => json);
    expect(started.map(({ status, json }) => [status, json.scan.id])).toEqual([
      [202, scan.id],
      [202, scan.id],
    ]);
    const ofSystem = (await post('/scans', { system_id: source.systemId })).json.scan;
    expect(ofSystem.id).not.toBe(scan.id);
    expect((await get('/scans')).scans).toMatchObject([
      { id: ofSystem.id, target: { kind: 'system', name: 'S' } },
      { id: scan.id, target: { kind: 'source', name: 'W' } },
    ]);
    expect((await get(`/scans?source_id=${source.sourceId}`)).scans).toHaveLength(2);
    expect((await get(`/scans?system_id=${source.systemId}`)).scans).toHaveLength(1);
    expect((await get('/scans?status=completed')).scans).toEqual([]);
    const stopped = await post(`/scans/${scan.id}/stop`);
    expect(stopped.json.scan).toMatchObject({ id: scan.id, status: 'canceled' });
    expect((await post(`/scans/${scan.id}/stop`)).json.scan.status, 'again').toBe('canceled');
    expect((await post('/scans', { source_id: source.sourceId })).json.scan.id).not.toBe(scan.id);
  });

  it('have exactly one target, which is authorized', async () => {
    const { sourceId: source_id, systemId: system_id } = source;
    expect((await post('/scans', {})).json.error_code).toBe('scan_target_ambiguous');
    expect((await post('/scans', { source_id, system_id })).json.error_code).toBe('scan_target_ambiguous');
    await asAnyone('update sources set scan_authorized_at = null where id = $1', [source_id]);
    expect((await post('/scans', { source_id })).json.error_code).toBe('scan_not_authorized');
  });
});

describe('events', () => {
  const store = (kind: string, channel: EventChannel, occurredAt: string, count = 1) => {
    const rows = Array.from({ length: count }, (_, n) =>
      eventRow({
        kind,
        occurredAt: new Date(Date.parse(occurredAt) - (n + 1) * 1_000).toISOString(),
        payload: '{"secret":"s3cr3t"}',
      }),
    );
    return storeEvents(service.storage.events, { ...source, channel }, rows);
  };
  const day = (offset: number) => new Date(Date.now() - offset * 86_400_000).toISOString();

  it('are listed in pages, filtered, and never with their payload', async () => {
    await store('probe.started', 'events', day(1), 60);
    await store('request.blocked', 'shield', day(2));
    const first = await get('/events');
    const second = await get(`/events?cursor=${first.next_cursor}`);
    expect([first.events.length, second.events.length, second.next_cursor]).toEqual([50, 11, null]);
    expect(JSON.stringify([first, second])).not.toContain('s3cr3t');
    expect((await get('/events?channel=shield')).events).toMatchObject([
      { kind: 'request.blocked', system: { name: 'S' }, key: { name: null } },
    ]);
    expect((await get('/events?kind=probe.started&channel=shield')).events).toEqual([]);
    const since = encodeURIComponent(new Date(Date.now() - 1.5 * 86_400_000).toISOString());
    expect((await get(`/events?from=${since}&kind=request.blocked`)).events).toEqual([]);
  });

  it('are counted by day over a week and by hour over a day, including hours without events', async () => {
    await store('probe.started', 'events', day(0), 3);
    await store('request.blocked', 'shield', day(4), 2);
    await store('long.ago', 'events', day(30));
    const week = await get('/events/counts');
    expect(week.bucket).toBe('day');
    expect(week.counts).toHaveLength(8);
    const sum = (name: string) =>
      week.counts.reduce((total: number, row: Record<string, number>) => total + row[name]!, 0);
    expect([sum('events'), sum('shield')]).toEqual([3, 2]);
    expect(week.kinds).toEqual([
      { kind: 'probe.started', count: 3 },
      { kind: 'request.blocked', count: 2 },
    ]);
    const from = encodeURIComponent(day(1));
    const hours = await get(`/events/counts?from=${from}&channel=events`);
    expect([hours.bucket, hours.counts.length]).toEqual(['hour', 25]);
  });

  it.each([
    ['that ends before it begins', `from=${encodeURIComponent(day(1))}&to=${encodeURIComponent(day(2))}`],
    ['of years', `from=${encodeURIComponent(day(800))}`],
    ['before 1970', 'from=0000-01-01T00:00:00Z&to=0000-02-01T00:00:00Z'],
    ['that is invalid', 'to=2016-12-31T23:59:60Z'],
  ])('refuses a time %s', async (_, query) => {
    for (const at of ['/events', '/events/counts']) {
      const { status, json } = await admin.client.get(`${path}${at}?${query}`);
      expect([status, json.error_code]).toEqual([400, 'invalid_query']);
    }
  });
});
