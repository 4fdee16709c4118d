import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storeEvidence } from '../../src/resources/evidence/evidence.ts';
import { readScanRetention } from '../../src/resources/scans/retention.ts';
import { createFixture, type Fixture } from '../api/routes.ts';
import { dueTurn } from '../support/due-turn.ts';
import { addPerson, type TestPerson } from '../support/people.ts';
import { asOwner } from '../support/postgres.ts';
import { startService, type TestNode, type TestService } from '../support/service.ts';

let service: TestService;
let second: TestNode;
beforeAll(async () => {
  service = await startService();
  second = await service.addNode();
});
afterAll(() => service?.close());

const owner = <Row extends object>(text: string, values: unknown[] = []) =>
  asOwner(service.database.connection, async client => (await client.query<Row>(text, values)).rows);

/** Finished scans of the fixture's source with two runs each, one a day, the newest so many days old. */
async function addScans(
  { organizationId, sourceId }: Fixture,
  { count, daysOld, status = 'completed' }: { count: number; daysOld: number; status?: string },
): Promise<string[]> {
  const scans = await owner<{ id: string }>(
    `with added as (
        insert into scans (organization_id, source_id, profile, idempotency_key, status, verdict, runs_planned, created_at, started_at, finished_at)
        select $1, $2, 'safe_all_surfaces', gen_random_uuid()::text, $5, 'pass', 2, at, at, at
        from generate_series(1, $3::int) as n cross join lateral (select now() - make_interval(days => $4::int + n - 1) as at) as t
        returning id, created_at),
      runs as (insert into scan_runs (organization_id, scan_id, source_id, detector, status, finished_at)
        select $1, id, $2, detector, 'succeeded', created_at from added cross join unnest(array['website.tls', 'website.page']) as detector)
      select id from added order by created_at desc`,
    [organizationId, sourceId, count, daysOld, status],
  );
  return scans.map(({ id }) => id);
}

/** Sets a retention that applies at once. */
const keepFor = ({ organizationId }: Fixture, days: number | null) =>
  owner(
    `update organizations set scan_retention_days = $2, scan_retention_applies_at = now() where id = $1`,
    [organizationId, days],
  );

/** The scheduled work of every worker, on two nodes at once, until a turn deletes nothing. */
async function timePasses(): Promise<void> {
  const troubles: object[] = [];
  const turns = [service.storage, second.storage].map(storage =>
    dueTurn({ storage }, (event, fields) => troubles.push({ event, ...fields })),
  );
  await Promise.all(turns);
  expect(troubles).toEqual([]);
  if ((await service.storage.system.due.retentions(1_000)).length > 0) await timePasses();
}

/** As if the last turn had been on the day before. */
const nextDay = ({ organizationId }: Fixture) =>
  owner(`update retention_turns set day = day - 1 where organization_id = $1`, [organizationId]);

async function kept({ organizationId }: Fixture): Promise<{ scans: string[]; runsOf: number }> {
  const scans = await owner<{ id: string }>(`select id from scans where organization_id = $1`, [
    organizationId,
  ]);
  const [runs] = await owner<{ runsOf: number }>(
    `select count(distinct scan_id)::int as "runsOf" from scan_runs where organization_id = $1`,
    [organizationId],
  );
  return { scans: scans.map(({ id }) => id).toSorted(), ...runs! };
}

const deletions = ({ organizationId }: Fixture) =>
  owner(
    `select actor_kind, detail from audit_entries where organization_id = $1 and action = 'organization.old_scans_deleted'
      order by sequence`,
    [organizationId],
  );

describe('the deletion of old scans', () => {
  it('deletes those past the retention with their runs, in every batch, once, and counts them in the audit log', async () => {
    const [fixture, other] = [await createFixture(service), await createFixture(service)];
    const recent = await addScans(fixture, { count: 3, daysOld: 1 });
    await addScans(fixture, { count: 2_100, daysOld: 31 });
    await addScans(fixture, { count: 7, daysOld: 40, status: 'failed' });
    await addScans(fixture, { count: 2, daysOld: 40, status: 'canceled' });
    const ofOther = await addScans(other, { count: 3, daysOld: 40 });
    await keepFor(fixture, 30);
    await timePasses();
    const expected = { scans: [fixture.scanId, ...recent].toSorted(), runsOf: 3 };
    expect(await kept(fixture)).toEqual(expected);
    expect((await kept(other)).scans).toEqual([other.scanId, ...ofOther].toSorted());
    const entry = { actor_kind: 'service', detail: { completed: 2_100, failed: 7, canceled: 2 } };
    expect(await deletions(fixture)).toEqual([entry]);

    await nextDay(fixture);
    await timePasses();
    expect(await deletions(fixture)).toEqual([entry]);
  });

  it('keeps unfinished scans, the last one of each target, and those that evidence was taken of', async () => {
    const fixture = await createFixture(service);
    const { organizationId, scanId, sourceId } = fixture;
    const person = await addPerson(service, organizationId, 'owner');
    const [unfinished, witnessed, gone] = await addScans(fixture, { count: 3, daysOld: 400 });
    await owner(`update scans set status = 'running', finished_at = null where id = $1`, [unfinished]);
    // The fixture's scan is the last one of its source.
    await owner(
      `update scans set created_at = now() - interval '390 days', status = 'completed', finished_at = now() where id = $1`,
      [scanId],
    );
    await owner(`update last_scans set created_at = now() - interval '390 days' where scan_id = $1`, [
      scanId,
    ]);
    const store = service.storage.tenant(organizationId, { kind: 'person', id: person.id });
    await store.transaction(transaction =>
      storeEvidence(transaction, service.storage.keyRing, {
        kind: 'scan',
        scanId: witnessed!,
        name: 'scan.json',
        mediaType: 'application/json',
        content: Buffer.from('{}'),
      }),
    );
    await keepFor(fixture, 365);
    // What people see before they change a retention.
    expect((await store.read(session => readScanRetention(session))).would_delete.scans).toBe(1);
    await timePasses();
    expect((await kept(fixture)).scans).toEqual([unfinished, witnessed, scanId].toSorted());
    expect((await kept(fixture)).scans).not.toContain(gone);

    // A newer scan of the source replaces the last one, which is deleted the next day.
    const [newer] = await addScans(fixture, { count: 1, daysOld: 1 });
    expect(await owner(`select scan_id from last_scans where target_id = $1`, [sourceId])).toEqual([
      { scan_id: newer },
    ]);
    await nextDay(fixture);
    await timePasses();
    expect((await kept(fixture)).scans).toEqual([newer, unfinished, witnessed].toSorted());
  });

  it('deletes nothing without a retention, or before a changed one applies', async () => {
    const fixture = await createFixture(service);
    await addScans(fixture, { count: 3, daysOld: 2_000 });
    await keepFor(fixture, null);
    await timePasses();
    await owner(
      `update organizations set scan_retention_days = 30, scan_retention_applies_at = now() + interval '1 minute' where id = $1`,
      [fixture.organizationId],
    );
    await timePasses();
    const store = service.storage.tenant(fixture.organizationId, { kind: 'service', id: 'test' });
    await store.transaction(transaction => transaction.query({ text: 'select delete_old_scans(1000)' }));
    expect((await kept(fixture)).scans).toHaveLength(4);
  });

  it('leaves out deleted scans in the history of a finding', async () => {
    const fixture = await createFixture(service);
    const person = await addPerson(service, fixture.organizationId, 'member');
    await owner(
      `insert into finding_episodes (organization_id, finding_id, number, opened_by_scan, closed_at, closed_by_scan)
        values ($1, $2, 1, $3, now(), $4)`,
      [fixture.organizationId, fixture.findingId, randomUUID(), fixture.scanId],
    );
    const { json } = await person.client.get(
      `/organizations/${fixture.organizationId}/findings/${fixture.findingId}`,
    );
    expect(json.finding?.episodes, JSON.stringify(json)).toMatchObject([
      { opened_by_scan: null, closed_by_scan: fixture.scanId },
    ]);
  });
});

describe('the retention of scans', () => {
  let fixture: Fixture;
  let admin: TestPerson;
  let path: string;
  beforeAll(async () => {
    fixture = await createFixture(service);
    admin = await addPerson(service, fixture.organizationId, 'admin', { steppedUp: true });
    path = `/organizations/${fixture.organizationId}/scans/retention`;
    await addScans(fixture, { count: 100, daysOld: 50 });
  });
  const change = (retention_days: unknown) => admin.client.request('PUT', path, { retention_days });

  it('is a year at first, and shows what another one would delete', async () => {
    const { json } = await admin.client.get(path);
    expect(json).toMatchObject({ retention_days: 365, would_delete: { scans: 0, has_more: false } });
    expect(Date.now() - Date.parse(json.oldest)).toBeGreaterThan(149 * 86_400_000);
    const { json: preview } = await admin.client.get(`${path}?retention_days=90`);
    // Whole days: today is not one yet.
    expect(preview).toMatchObject({ retention_days: 365, would_delete: { scans: 59 } });
    expect(preview.would_delete.before).toMatch(/T00:00:00/);
    expect((await admin.client.get(`${path}?retention_days=1`)).status).toBe(400);
  });

  it('can be changed from a week later on, with an entry in the audit log', async () => {
    for (const wrong of [8, 0, '30', undefined])
      expect((await change(wrong)).status, String(wrong)).toBe(400);
    for (const days of [30, 30]) expect((await change(days)).json).toMatchObject({ retention_days: days });
    const { json } = await admin.client.get(path);
    const days = (Date.parse(json.applies_at) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(6.9);
    expect(days).toBeLessThan(7.1);
    await timePasses();
    expect((await kept(fixture)).scans).toHaveLength(101);
    expect((await change(null)).json).toMatchObject({
      retention_days: null,
      would_delete: { scans: 0, before: null },
    });
    const { json: log } = await admin.client.get(`/organizations/${fixture.organizationId}/audit`);
    const entries = log.entries.filter(({ action }: { action: string }) => action.includes('retention'));
    expect(entries).toMatchObject([
      { action: 'organization.scan_retention_changed', detail: { from_days: 30, days: null } },
      { action: 'organization.scan_retention_changed', detail: { from_days: 365, days: 30 } },
    ]);
  });
});
