import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { captureWith } from '../../src/detectors/postgres/hardened-capture.ts';
import { Refusal } from '../../src/domain/refusal.ts';
import { passesOf } from '../../src/resources/controls/results-of-checks.ts';
import {
  countAttempt,
  dropSuperseded,
  firstWaiting,
  inboxLock,
  leaveOutExcess,
} from '../../src/resources/events/inbox.ts';
import { recordInventory } from '../../src/resources/probes/inventory.ts';
import { removeProbe } from '../../src/resources/probes/remove-probe.ts';
import {
  acceptRisk,
  authorizeScan,
  createSource,
  disconnectSource,
} from '../../src/resources/sources/sources.ts';
import { createSystem } from '../../src/resources/systems/systems.ts';
import { Continuity } from '../../src/worker/continuity.ts';
import { type InboxPlaces, processEvents } from '../../src/worker/tasks/process-events.ts';
import { type AuthorizedSource, authorizedSource } from '../support/authorized-source.ts';
import { dueTurn } from '../support/due-turn.ts';
import { untilWaiting } from '../support/held-lock.ts';
import { asOwner } from '../support/postgres.ts';
import { assessment, eventOf, heartbeat, path, planned, reportsOn } from '../support/probe-events.ts';
import { startService, type TestService } from '../support/service.ts';
import { type ClientKey, call } from '../support/signing-client.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.close());

const sql = async (text: string, values: unknown[] = []) =>
  (await asOwner(service.database.connection, client => client.query(text, values))).rows;

interface Probed extends AuthorizedSource {
  readonly key: ClientKey;
  /** For reading: a probe key cannot. */
  readonly reader: ClientKey;
}

/** A database that a probe assesses, with the key of the probe. */
async function probed(): Promise<Probed> {
  const source = await authorizedSource(service, {
    kind: 'postgres',
    connection_mode: 'probe',
    host: 'db.internal',
  });
  const { organizationId, systemId } = source;
  const key = await service.mint(organizationId, { kind: 'probe', systemId });
  return { ...source, key, reader: await service.mint(organizationId) };
}

/** Sends events and has a worker process them. Returns what was logged. */
async function report({ key }: { readonly key: ClientKey }, ...events: object[]): Promise<string[]> {
  const { status, json } = await call(service.url, key, 'POST', path, { events });
  expect([status, json.rejected]).toEqual([202, []]);
  // A turn ends after a second, and after an event that fails.
  for (let turn = 0; turn < mostTurns; turn++) {
    const logged = await process();
    const waiting = await sql('select 1 from event_inbox limit 1');
    if (logged.length > 0 || waiting.length === 0) return logged;
  }
  return expect.fail(`events still wait after ${mostTurns} turns`);
}

/** No test reports as many events as take so many turns. */
const mostTurns = 30;

async function process(places?: InboxPlaces): Promise<string[]> {
  const logged: string[] = [];
  await processEvents({ storage: service.storage, log: event => void logged.push(event) }, places);
  return logged;
}

const list = async ({ reader }: Probed, path: string) =>
  (await call(service.url, reader, 'GET', `/api/v1/${path}`)).json;
const openChecks = async (source: Probed): Promise<string[]> =>
  (await list(source, 'findings?status=open')).findings
    .map(({ category }: { category: string }) => category)
    .sort();
const statusOf = async (source: Probed, id = source.sourceId) =>
  (await list(source, 'sources')).sources.find((found: { id: string }) => found.id === id).status;
const probesOf = ({ organizationId }: Probed) =>
  sql('select * from probes where organization_id = $1 order by name', [organizationId]);

const flawed = reportsOn(captureWith({ changed: { data_checksums: 'off', fsync: 'off' } }));
const hardened = reportsOn(captureWith());

it('turns an assessment into a scan with its findings, and resolves them with the next one', async () => {
  const source = await probed();
  expect(await report(source, assessment(source.sourceId, flawed))).toEqual([]);
  expect(await openChecks(source)).toEqual(['postgres.data_checksums_off', 'postgres.fsync_off']);
  const { scans } = await list(source, 'scans');
  expect(scans).toMatchObject([
    {
      profile: 'safe_all_surfaces',
      status: 'completed',
      verdict: 'fail',
      source_id: source.sourceId,
      runs_planned: planned.length,
      runs_succeeded: planned.length,
    },
  ]);
  const { scan } = await list(source, `scans/${scans[0].id}`);
  expect(scan.runs.map(({ detector }: { detector: string }) => detector).sort()).toEqual(planned.toSorted());
  await report(source, assessment(source.sourceId, hardened));
  expect(await openChecks(source)).toEqual([]);
  expect((await list(source, 'scans')).scans[0]).toMatchObject({ verdict: 'pass' });
});

it('names the probe and its version in the evidence of controls', async () => {
  const source = await probed();
  await report(source, assessment(source.sourceId, hardened));
  const passes = await source.store.read(session => passesOf(session, ['postgres.ssl_off'], 10));
  expect(passes).toMatchObject([{ source_id: source.sourceId, probe: 'office 1.0.0' }]);
});

it('joins the events of one assessment, in any order, and repeats nothing', async () => {
  const source = await probed();
  const id = { assessment_id: randomUUID() };
  const last = assessment(source.sourceId, flawed.slice(4), id);
  await report(source, last);
  expect((await list(source, 'scans')).scans).toMatchObject([{ status: 'running', verdict: null }]);
  await report(source, assessment(source.sourceId, flawed.slice(0, 4), id), last, {
    ...last,
    id: randomUUID(),
  });
  expect((await list(source, 'scans')).scans).toMatchObject([
    { status: 'completed', runs_succeeded: planned.length },
  ]);
  expect(await openChecks(source)).toHaveLength(2);
});

it('ends an assessment whose results do not arrive with the next one', async () => {
  const source = await probed();
  await report(source, assessment(source.sourceId, flawed.slice(0, 3)));
  await report(source, assessment(source.sourceId, hardened));
  const { scans } = await list(source, 'scans');
  expect(scans).toMatchObject([{ verdict: 'pass' }, { status: 'completed', runs_succeeded: 3 }]);
  const { scan } = await list(source, `scans/${scans[1].id}`);
  expect(new Set(scan.runs.map(({ cause }: { cause: string }) => cause))).toEqual(
    new Set([null, 'report_incomplete']),
  );
});

it('leaves findings to later results when events arrive late', async () => {
  const source = await probed();
  const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
  await report(source, assessment(source.sourceId, flawed));
  await report(source, assessment(source.sourceId, hardened, { started_at: hourAgo }));
  expect(await openChecks(source)).toHaveLength(2);
});

it('fails all runs of a target that could not be reached, and resolves nothing', async () => {
  const source = await probed();
  await report(source, assessment(source.sourceId, flawed));
  await report(source, assessment(source.sourceId, [], { error_code: 'auth_failed' }));
  const { scans } = await list(source, 'scans');
  expect(scans[0]).toMatchObject({ status: 'failed', verdict: 'fail', runs_succeeded: 0 });
  expect(await openChecks(source)).toHaveLength(2);
});

it('understands a probe that is older or newer than the service', async () => {
  const source = await probed();
  await report(source, assessment(source.sourceId, flawed));
  const [first, ...others] = hardened;
  const older = { ...first!, checks: first!.checks.slice(1) };
  const newer = others.map(result => ({
    ...result,
    checks: [...result.checks, { check: 'postgres.not_yet', outcome: 'observed' as const, later: true }],
    observations: [...result.observations, { check: 'postgres.not_yet', locator: 'x', seen: 'Something.' }],
  }));
  const unknown = { ...first!, detector: 'postgres.future' };
  const event = assessment(source.sourceId, [older, ...newer, unknown], {
    planned: [...planned, 'postgres.future'],
  });
  await report(source, event);
  expect(await openChecks(source)).toEqual([]);
  const { scans } = await list(source, 'scans');
  const { scan } = await list(source, `scans/${scans[0].id}`);
  expect(scan.runs).toHaveLength(planned.length);
  const left = await sql(
    'select outcome, reason from check_assessments where source_id = $1 and check_id = $2',
    [source.sourceId, first!.checks[0]!.check],
  );
  expect(left).toEqual([
    { outcome: 'not_assessed', reason: 'Version 1.0.0 of the probe does not have this check.' },
  ]);
  const refused = await call(service.url, source.key, 'POST', path, { events: [{ ...event, schema: 2 }] });
  expect([refused.status, refused.json.fields[0].message]).toEqual([
    400,
    'schema 2 of probe.assessment is not supported: this service supports schema 1. Update the service',
  ]);
});

it('changes nothing for a source of another system, another organization or another mode', async () => {
  const source = await probed();
  const other = await probed();
  const elsewhere = await source.person.transaction(async transaction => {
    const system = await createSystem(transaction, { name: 'T', environment: 'test', kind: 'api' });
    const create = async (system_id: string, connection_mode: 'probe' | 'direct', isAuthorized = true) => {
      const input = { system_id, name: 'D', kind: 'postgres' as const, host: 'x.internal', connection_mode };
      const { id } = await createSource(transaction, input);
      await acceptRisk(transaction, id, '1');
      if (isAuthorized) await authorizeScan(transaction, id);
      return id;
    };
    const gone = await create(source.systemId, 'probe');
    await disconnectSource(transaction, gone);
    return {
      source_unknown: await create(system.id, 'probe'),
      source_not_probe_mode: await create(source.systemId, 'direct'),
      source_not_authorized: await create(source.systemId, 'probe', false),
      gone,
    };
  });
  const targets = { ...elsewhere, foreign: other.sourceId, missing: randomUUID() };
  for (const [reason, id] of Object.entries(targets)) {
    const drift = {
      source_id: id,
      since: '2026-01-01T00:00:00Z',
      changes: [{ area: 'role', name: 'r', change: 'added' }],
    };
    await report(source, assessment(id, flawed));
    const [probe] = await probesOf(source);
    const expected = { gone: 'source_not_authorized', foreign: 'source_unknown', missing: 'source_unknown' };
    expect(probe.ignored_reason, reason).toBe(expected[reason as 'gone'] ?? reason);
    await report(source, eventOf('probe.drift', { ...drift, more: 0 }));
  }
  await report(
    source,
    heartbeat(source.sourceId, { targets: Object.values(targets).map(id => heartbeat(id).targets[0]!) }),
  );
  for (const organizationId of [source.organizationId, other.organizationId]) {
    for (const table of ['findings', 'scans', 'source_changes']) {
      expect(await sql(`select * from ${table} where organization_id = $1`, [organizationId]), table).toEqual(
        [],
      );
    }
  }
  expect(await statusOf(source, elsewhere.source_unknown)).toBe('pending');
  expect(await statusOf(source, elsewhere.source_not_probe_mode)).toBe('pending');
  expect(await statusOf(source, elsewhere.gone)).toBe('disconnected');
  expect(await statusOf(other)).toBe('pending');
  expect((await probesOf(source))[0].ignored).toBe(String(Object.keys(targets).length * 2));
});

it('refuses reports of a probe from any other key', async () => {
  const source = await probed();
  const event = assessment(source.sourceId, flawed);
  const { status, json } = await call(service.url, source.reader, 'POST', path, {
    system_id: source.systemId,
    events: [event],
  });
  expect([status, json.fields?.[0]?.message]).toEqual([400, 'kind probe.assessment requires a probe key']);
});

it('shows the state that the probe reports, and answers tests from it with its age', async () => {
  const source = await probed();
  const test = async () =>
    (await call(service.url, source.reader, 'POST', `/api/v1/sources/${source.sourceId}/test`, {})).json;
  expect(await test()).toMatchObject({
    source: { status: 'pending' },
    test: { error_code: 'no_probe_report' },
  });
  await report(source, heartbeat(source.sourceId));
  expect(await statusOf(source)).toBe('connected');
  const passed = await test();
  expect(passed).toMatchObject({ source: { status: 'connected' }, test: { ok: true, latency_ms: 12 } });
  expect(passed.test.age_seconds).toBeGreaterThanOrEqual(119);
  expect(passed.test.age_seconds).toBeLessThan(180);
  const failing = { state: 'failing', error_code: 'auth_failed' };
  await report(source, heartbeat(source.sourceId, { target: failing }));
  expect(await statusOf(source)).toBe('failing');
  expect(await test()).toMatchObject({ test: { ok: false, error_code: 'auth_failed' } });
  // An older heartbeat arrives late.
  await report(source, heartbeat(source.sourceId, { occurred_at: '2026-01-01T00:00:00Z' }));
  expect(await statusOf(source)).toBe('failing');
});

it('follows a probe whose clock was ahead', async () => {
  const source = await probed();
  const ahead = new Date(Date.now() + 3_600_000).toISOString();
  await report(source, heartbeat(source.sourceId, { occurred_at: ahead, target: { state: 'failing' } }));
  expect(await statusOf(source)).toBe('failing');
  await report(source, heartbeat(source.sourceId, { occurred_at: new Date().toISOString() }));
  expect(await statusOf(source)).toBe('connected');
});

it('opens a finding when the probe is silent for three intervals, and resolves it when it returns', async () => {
  const source = await probed();
  const turn = () => dueTurn(service);
  await report(source, heartbeat(source.sourceId), assessment(source.sourceId, hardened.slice(0, 2)));
  await turn();
  expect(await openChecks(source)).toEqual([]);
  await sql("update probes set last_seen_at = now() - interval '190 seconds' where organization_id = $1", [
    source.organizationId,
  ]);
  await turn();
  await turn();
  expect(await openChecks(source)).toEqual(['probe.silent']);
  expect(await statusOf(source)).toBe('pending');
  const path = `/api/v1/sources/${source.sourceId}/test`;
  expect((await call(service.url, source.reader, 'POST', path, {})).json.source.status).toBe('pending');
  const { findings } = await list(source, 'findings?status=open');
  // A time that stays true, however old the finding gets.
  const [{ seen }] = await sql('select seen from findings where id = $1', [findings[0].id]);
  const [, at] = /^The last report came at (.{16}) UTC; the probe reports every 60 seconds\.$/.exec(seen)!;
  const [probe] = await probesOf(source);
  expect(Math.abs(Date.parse(`${at}Z`) - probe.last_seen_at)).toBeLessThan(62_000);
  const { scans } = await list(source, 'scans');
  expect(scans).toMatchObject([{ verdict: 'warn', runs_planned: 1 }, { verdict: 'inconclusive' }]);
  await report(source, heartbeat(source.sourceId));
  expect(await statusOf(source)).toBe('connected');
  await turn();
  expect(await openChecks(source)).toEqual([]);
});

it('does not call a probe silent that has not stated its interval yet', async () => {
  const source = await probed();
  await report(source, assessment(source.sourceId, hardened));
  await dueTurn(service);
  const [probe] = await probesOf(source);
  expect(probe).toMatchObject({ interval_seconds: 0, silent_since: null });
  const removal = source.person.transaction(transaction => removeProbe(transaction, probe.id));
  await expect(removal).rejects.toMatchObject({ code: 'probe_reports' });
});

const second = { name: 'second', version: '1.0.0', instance: randomUUID() };

/** A source whose probe was found silent. */
async function silent(): Promise<Probed> {
  const source = await probed();
  await report(source, heartbeat(source.sourceId));
  await sql("update probes set last_seen_at = now() - interval '1 hour' where organization_id = $1", [
    source.organizationId,
  ]);
  await dueTurn(service);
  expect(await openChecks(source)).toEqual(['probe.silent']);
  return source;
}

it('resolves the finding when another probe takes over', async () => {
  const source = await silent();
  await report(source, { ...heartbeat(source.sourceId), probe: second });
  await dueTurn(service);
  expect(await openChecks(source)).toEqual([]);
  const { scans } = await list(source, 'scans');
  await report(source, { ...heartbeat(source.sourceId), probe: second });
  await dueTurn(service);
  expect((await list(source, 'scans')).scans).toHaveLength(scans.length);
});

it('resolves nothing by a heartbeat of another probe that is older than the last report', async () => {
  const source = await silent();
  const occurred_at = new Date(Date.now() - 600_000).toISOString();
  await report(source, { ...heartbeat(source.sourceId, { occurred_at }), probe: second });
  await dueTurn(service);
  expect(await openChecks(source)).toEqual(['probe.silent']);
});

it('resolves nothing when the probe returns without the target', async () => {
  const source = await silent();
  await report(source, heartbeat(source.sourceId, { targets: [] }));
  await dueTurn(service);
  expect(await openChecks(source)).toEqual(['probe.silent']);
  expect(await statusOf(source)).toBe('pending');
  await report(source, heartbeat(source.sourceId));
  await dueTurn(service);
  expect([await openChecks(source), await statusOf(source)]).toEqual([[], 'connected']);
});

it('opens a finding on a source that its probe has not named for three intervals', async () => {
  const source = await probed();
  const droppedBefore = (minutes: number) =>
    sql('update probe_targets set dropped_at = now() - make_interval(mins => $2) where source_id = $1', [
      source.sourceId,
      minutes,
    ]);
  await report(source, heartbeat(source.sourceId));
  await report(source, heartbeat(source.sourceId, { targets: [] }));
  // Not more often than every five minutes, though its interval is a minute.
  await droppedBefore(4);
  await dueTurn(service);
  expect([await openChecks(source), await statusOf(source)]).toEqual([[], 'pending']);
  await droppedBefore(6);
  await dueTurn(service);
  expect(await openChecks(source)).toEqual(['probe.silent']);
  const { findings } = await list(source, 'findings?status=open');
  const [{ seen }] = await sql('select seen from findings where id = $1', [findings[0].id]);
  expect(seen).toMatch(
    /^The probe reports, but has not named this source since \d{4}-\d\d-\d\d \d\d:\d\d UTC\.$/,
  );
  const { scans } = await list(source, 'scans');
  await report(source, heartbeat(source.sourceId, { targets: [] }));
  await dueTurn(service);
  expect((await list(source, 'scans')).scans).toHaveLength(scans.length);
  await report(source, heartbeat(source.sourceId));
  await dueTurn(service);
  expect([await openChecks(source), await statusOf(source)]).toEqual([[], 'connected']);
});

it('opens the finding of a silent probe when scans of its source are authorized later', async () => {
  const source = await probed();
  const { organizationId, sourceId } = source;
  await sql('update sources set scan_authorized_at = null where id = $1', [sourceId]);
  await report(source, heartbeat(sourceId));
  await sql("update probes set last_seen_at = now() - interval '1 hour' where organization_id = $1", [
    organizationId,
  ]);
  await dueTurn(service);
  expect(await openChecks(source)).toEqual([]);
  await source.person.transaction(transaction => authorizeScan(transaction, sourceId));
  await dueTurn(service);
  expect(await openChecks(source)).toEqual(['probe.silent']);
});

it('resolves the finding when another probe takes over while it is opened', async () => {
  const source = await probed();
  const { connection } = service.database;
  await report(source, heartbeat(source.sourceId));
  await sql("update probes set last_seen_at = now() - interval '1 hour' where organization_id = $1", [
    source.organizationId,
  ]);
  const { organizationId, systemId } = source;
  const own = await service.mint(organizationId, { kind: 'probe', systemId });
  await asOwner(connection, async holder => {
    await holder.query('begin');
    await holder.query('select from sources where id = $1 for no key update', [source.sourceId]);
    const turn = dueTurn(service);
    await untilWaiting(connection, 1);
    const takesOver = report({ key: own }, { ...heartbeat(source.sourceId), probe: second });
    await untilWaiting(connection, 2);
    await holder.query('commit');
    await Promise.all([turn, takesOver]);
  });
  await dueTurn(service);
  expect([await openChecks(source), await statusOf(source)]).toEqual([[], 'connected']);
});

it('removes a silent probe while another reports on its source', async () => {
  const source = await silent();
  const { connection } = service.database;
  const [{ id }] = await probesOf(source);
  await asOwner(connection, async holder => {
    await holder.query('begin');
    await holder.query('select from sources where id = $1 for no key update', [source.sourceId]);
    const removed = source.person.transaction(transaction => removeProbe(transaction, id));
    await untilWaiting(connection, 1);
    await holder.query('update probe_targets set latency_ms = 1 where source_id = $1', [source.sourceId]);
    await holder.query('commit');
    await removed;
  });
  expect(await probesOf(source)).toMatchObject([{ removed_at: expect.anything() }]);
});

it('opens a finding on each source of a silent probe, also on one that it no longer named', async () => {
  const source = await probed();
  await report(source, heartbeat(source.sourceId));
  await report(source, heartbeat(source.sourceId, { targets: [] }));
  await sql("update probes set last_seen_at = now() - interval '1 hour' where organization_id = $1", [
    source.organizationId,
  ]);
  await dueTurn(service);
  expect(await openChecks(source)).toEqual(['probe.silent']);
});

it.each([
  [4, []],
  [6, ['probe.silent']],
])(
  'after %i minutes, misses a probe whose key was revoked, however rarely it reports: %j',
  async (minutes, found) => {
    const source = await probed();
    await report(source, heartbeat(source.sourceId, { interval_seconds: 86_400 }));
    await sql('update api_keys set revoked_at = now() - make_interval(mins => $2) where id = $1', [
      source.key.token_id,
      minutes,
    ]);
    await dueTurn(service);
    expect(await openChecks(source)).toEqual(found);
  },
);

it('does not miss a probe that has a valid key when another of its keys is revoked', async () => {
  const source = await probed();
  const { organizationId, systemId } = source;
  const other = await service.mint(organizationId, { kind: 'probe', systemId });
  await report(source, heartbeat(source.sourceId, { interval_seconds: 86_400 }));
  await report({ key: other }, heartbeat(source.sourceId, { interval_seconds: 86_400 }));
  await sql("update api_keys set revoked_at = now() - interval '6 minutes' where id = $1", [other.token_id]);
  await dueTurn(service);
  expect(await openChecks(source)).toEqual([]);
});

it('does not let a report that arrives late replace a newer one', async () => {
  const source = await probed();
  const later = await service.mint(source.organizationId, { kind: 'probe', systemId: source.systemId });
  const early = { name: 'office', version: '0.9.0', instance: randomUUID() };
  await report({ ...source, key: later }, heartbeat(source.sourceId));
  const state = () =>
    sql(
      `select p.version, p.instance, p.key_id, p.reported_at, p.interval_seconds, t.state, t.name, t.reported_at as at
        from probes p join probe_targets t on t.probe_id = p.id where t.source_id = $1`,
      [source.sourceId],
    );
  const newest = await state();
  expect(newest).toMatchObject([{ version: '1.0.0', key_id: later.token_id, state: 'ok' }]);
  const occurred_at = new Date(Date.now() - 60_000).toISOString();
  const target = { state: 'failing', error_code: 'connection_refused', name: 'old' };
  const late = heartbeat(source.sourceId, { occurred_at, interval_seconds: 600, target });
  await report(source, { ...late, probe: early });
  expect(await state()).toEqual(newest);
  expect(await statusOf(source)).toBe('connected');
  // Nor that of another probe on the same source.
  await report(source, { ...late, id: randomUUID(), probe: second });
  expect(await state()).toEqual(newest);
  expect(await statusOf(source)).toBe('connected');
});

it('does not call a probe silent that could not reach the service, or whose events wait', async () => {
  const source = await probed();
  await report(source, heartbeat(source.sourceId));
  const age = () =>
    sql("update probes set last_seen_at = now() - interval '1 hour' where organization_id = $1", [
      source.organizationId,
    ]);
  await age();
  const continuity = new Continuity();
  await continuity.turn(ms => dueTurn(service, undefined, ms));
  expect(await openChecks(source)).toEqual([]);
  await call(service.url, source.key, 'POST', path, { events: [heartbeat(source.sourceId)] });
  await dueTurn(service);
  expect(await openChecks(source)).toEqual([]);
  await process();
  await age();
  await dueTurn(service);
  expect(await openChecks(source)).toEqual(['probe.silent']);
});

it('does not find a probe silent each time that it comes and goes', async () => {
  const source = await probed();
  const scans = async () => (await list(source, 'scans')).scans.length;
  for (let time = 0; time < 3; time++) {
    await report(source, heartbeat(source.sourceId));
    await sql("update probes set last_seen_at = now() - interval '1 hour' where organization_id = $1", [
      source.organizationId,
    ]);
    await dueTurn(service);
  }
  await report(source, heartbeat(source.sourceId));
  await dueTurn(service);
  await sql("update probes set last_seen_at = now() - interval '1 hour' where organization_id = $1", [
    source.organizationId,
  ]);
  await dueTurn(service);
  expect(await scans()).toBe(2);
  await sql("update probes set returned_at = now() - interval '6 minutes' where organization_id = $1", [
    source.organizationId,
  ]);
  await dueTurn(service);
  expect(await scans()).toBe(3);
});

it('counts a report from the future as one of now', async () => {
  const source = await probed();
  const started_at = new Date(Date.now() + 86_400_000).toISOString();
  await report(source, assessment(source.sourceId, flawed, { started_at }));
  const ahead = `select from scans s join check_assessments a on a.scan_id = s.id
    where s.source_id = $1 and (s.started_at > now() or a.looked_at > now())`;
  expect(await sql(ahead, [source.sourceId])).toEqual([]);
  await report(source, assessment(source.sourceId, hardened));
  expect(await openChecks(source)).toEqual([]);
});

it('accepts times of any precision', async () => {
  const source = await probed();
  const occurred_at = `${new Date().toISOString().slice(0, -1)}456Z`;
  await report(source, heartbeat(source.sourceId, { occurred_at }));
  expect(await statusOf(source)).toBe('connected');
});

it('keeps the newest of many heartbeats, and goes on after an event that fails', async () => {
  const source = await probed();
  const beats = Array.from({ length: 400 }, (_, index) =>
    heartbeat(source.sourceId, {
      interval_seconds: 60 + index,
      occurred_at: new Date(Date.now() + index).toISOString(),
    }),
  );
  await report(source, ...beats);
  expect(await probesOf(source)).toMatchObject([{ interval_seconds: 459 }]);
  // A constraint that only a bug could violate.
  await sql(`alter table probes add constraint no_drops check (dropped = 0)`);
  const dropped = eventOf('probe.dropped', { reason: 'spool_full', count: 3, from: null, to: null });
  expect(await report(source, dropped, assessment(source.sourceId, flawed))).toEqual([
    ...['event.not_processed', 'event.not_processed', 'event.left_out'],
  ]);
  await sql(`alter table probes drop constraint no_drops`);
  expect(await openChecks(source)).toHaveLength(2);
  expect(await probesOf(source)).toMatchObject([{ ignored: '1', ignored_reason: 'processing_failed' }]);
  await report(source, { ...dropped, id: randomUUID() });
  expect(await probesOf(source)).toMatchObject([{ dropped: '3' }]);
});

it('removes heartbeats that newer ones follow', async () => {
  const source = await probed();
  const beats = Array.from({ length: 400 }, () => heartbeat(source.sourceId));
  await call(service.url, source.key, 'POST', path, { events: beats });
  await source.store.transaction(dropSuperseded);
  const waiting = await sql('select event_id from event_inbox where organization_id = $1', [
    source.organizationId,
  ]);
  expect(waiting).toHaveLength(1);
  await process();
});

it('processes the events of an organization one after another', async () => {
  const source = await probed();
  await call(service.url, source.key, 'POST', path, { events: [heartbeat(source.sourceId)] });
  await source.store.transaction(async transaction => {
    const lock = 'select pg_advisory_xact_lock($1, hashtext($2)) as locked';
    await transaction.query({ text: lock, values: [inboxLock, source.organizationId] });
    await process();
    expect(await probesOf(source)).toEqual([]);
  });
  await process();
  expect(await probesOf(source)).toHaveLength(1);
});

it('changes nothing by waiting events of a key that was revoked', async () => {
  const source = await probed();
  await report(source, heartbeat(source.sourceId));
  await call(service.url, source.key, 'POST', path, { events: [assessment(source.sourceId, flawed)] });
  await sql('update api_keys set revoked_at = now() where id = $1', [source.key.token_id]);
  await process();
  expect(await openChecks(source)).toEqual([]);
  expect(await probesOf(source)).toMatchObject([{ ignored: '1', ignored_reason: 'key_revoked' }]);
});

it('notes events of a revoked key on the probe that sent them, which has another key now', async () => {
  const source = await probed();
  const key = await service.mint(source.organizationId, { kind: 'probe', systemId: source.systemId });
  await report(source, { ...heartbeat(source.sourceId, { targets: [] }), probe: second });
  await report({ ...source, key }, heartbeat(source.sourceId));
  await call(service.url, source.key, 'POST', path, { events: [assessment(source.sourceId, flawed)] });
  await sql('update api_keys set revoked_at = now() where id = $1', [source.key.token_id]);
  await process();
  expect(await probesOf(source)).toMatchObject([
    { name: 'office', ignored: '1', ignored_reason: 'key_revoked' },
    { name: 'second', ignored: '0' },
  ]);
});

it('processes the heartbeat of a valid key though a revoked one sent a newer one', async () => {
  const source = await probed();
  const { organizationId, systemId } = source;
  const stolen = await service.mint(organizationId, { kind: 'probe', systemId });
  const send = (key: ClientKey, event: object) => call(service.url, key, 'POST', path, { events: [event] });
  await send(source.key, heartbeat(source.sourceId));
  await send(stolen, heartbeat(source.sourceId, { targets: [] }));
  await sql('update api_keys set revoked_at = now() where id = $1', [stolen.token_id]);
  await process();
  expect(await statusOf(source)).toBe('connected');
  expect(await probesOf(source)).toMatchObject([{ key_id: source.key.token_id }]);
});

it('notes events of a forwarder on no probe', async () => {
  const source = await probed();
  const { organizationId, systemId } = source;
  await report(source, heartbeat(source.sourceId));
  const stolen = await service.mint(organizationId, { kind: 'probe', systemId });
  const forwarder = { ...second, name: 'gateway' };
  const firewall = { engine: 'crowdsec', version: null, mode: 'unknown', rule_set: null };
  const event = eventOf('shield.heartbeat', {
    ...{ forwarder, firewall, probe: { name: 'office' }, problem: null, log: null, hosts: [] },
    ...{ started_at: new Date().toISOString(), interval_seconds: 60 },
  });
  const shield = '/functions/v1/shield-ingest';
  expect((await call(service.url, stolen, 'POST', shield, { events: [event] })).json.rejected).toEqual([]);
  await sql('update api_keys set revoked_at = now() where id = $1', [stolen.token_id]);
  await process();
  expect(await probesOf(source)).toMatchObject([{ ignored: '0' }]);
});

it('leaves out a large backlog in steps', async () => {
  const source = await probed();
  await report(source, heartbeat(source.sourceId));
  await sql(
    `insert into event_inbox (organization_id, channel, system_id, key_id, event_id, retention_days, received_at)
      select $1, 'events', $2, $3, gen_random_uuid(), 90, now() from generate_series(1, 33000)`,
    [source.organizationId, source.systemId, source.key.token_id],
  );
  const waiting = async () => {
    await source.store.transaction(leaveOutExcess);
    const counted = 'select count(*)::int from event_inbox where organization_id = $1';
    return (await sql(counted, [source.organizationId]))[0].count;
  };
  expect([await waiting(), await waiting(), await waiting()]).toEqual([23_000, 20_000, 20_000]);
  await sql('delete from event_inbox where organization_id = $1', [source.organizationId]);
});

it('processes the events of other organizations if those of one cannot be', async () => {
  const sources = [await probed(), await probed(), await probed()];
  const [hindered] = sources as [Probed];
  await sql(`create function hindered() returns trigger language plpgsql as
    $$ begin raise exception 'hindered'; end $$`);
  await sql(`create trigger hindered before delete on event_inbox for each row
    when (old.organization_id = '${hindered.organizationId}') execute function hindered()`);
  for (const { key, sourceId } of sources) {
    const events = [heartbeat(sourceId), heartbeat(sourceId)];
    expect((await call(service.url, key, 'POST', path, { events })).status).toBe(202);
  }
  await expect(process()).resolves.toEqual(['events.not_processed']);
  await sql('drop function hindered() cascade');
  expect(await Promise.all(sources.map(async source => (await probesOf(source)).length))).toEqual([0, 1, 1]);
  await process();
});

it('bounds how many events of a key wait', async () => {
  const source = await probed();
  await report(source, heartbeat(source.sourceId));
  await sql(
    `insert into event_inbox (organization_id, channel, system_id, key_id, event_id, retention_days, received_at)
      select $1, 'events', $2, $3, gen_random_uuid(), 90, now() from generate_series(1, 20000)`,
    [source.organizationId, source.systemId, source.key.token_id],
  );
  const dropped = () => eventOf('probe.dropped', { reason: 'spool_full', count: 1, from: null, to: null });
  await call(service.url, source.key, 'POST', path, { events: Array.from({ length: 30 }, dropped) });
  await process();
  expect(await probesOf(source)).toMatchObject([{ ignored: '30', ignored_reason: 'too_many_events' }]);
  expect(await sql('select from event_inbox where organization_id = $1', [source.organizationId])).toEqual(
    [],
  );
});

it('does not let the events of one key delay those of another', async () => {
  const source = await probed();
  const second = await service.mint(source.organizationId, { kind: 'probe', systemId: source.systemId });
  // They are processed in this order.
  const [busy, calm] = [source.key, second].sort((a, b) => (a.token_id < b.token_id ? -1 : 1)) as [
    ClientKey,
    ClientKey,
  ];
  const flood = Array.from({ length: 500 }, () =>
    eventOf('probe.dropped', { reason: 'spool_full', count: 1, from: null, to: null }),
  );
  const send = async (sender: ClientKey, events: object[]) =>
    expect((await call(service.url, sender, 'POST', path, { events })).status).toBe(202);
  for (let batch = 0; batch < 4; batch++) {
    await send(
      busy,
      flood.map(event => ({ ...event, id: randomUUID() })),
    );
  }
  await send(calm, [heartbeat(source.sourceId)]);
  await process();
  const waiting = await sql('select key_id from event_inbox where organization_id = $1', [
    source.organizationId,
  ]);
  expect(waiting.filter(({ key_id }) => key_id === calm.token_id)).toEqual([]);
  expect(waiting.length).toBeGreaterThan(0);
  // Other tests would process the rest.
  await sql('delete from event_inbox where organization_id = $1', [source.organizationId]);
});

it('serves keys with slow events round-robin, also from where a turn ended', async () => {
  const source = await probed();
  const { organizationId, systemId } = source;
  const keys = await Promise.all(
    Array.from({ length: 4 }, () => service.mint(organizationId, { kind: 'probe', systemId })),
  );
  await report(source, heartbeat(source.sourceId));
  const dropped = () => eventOf('probe.dropped', { reason: 'spool_full', count: 1, from: null, to: null });
  for (const key of keys) {
    await call(service.url, key, 'POST', path, { events: [dropped(), dropped(), dropped()] });
  }
  const places: InboxPlaces = new Map();
  vi.useFakeTimers({ toFake: ['performance'] });
  const tenant = service.storage.tenant.bind(service.storage);
  // Each event takes longer than a key may take, and three of them a turn.
  const slow = vi.spyOn(service.storage, 'tenant').mockImplementation((organization, actor) => {
    if (actor.kind === 'key') vi.advanceTimersByTime(400);
    return tenant(organization, actor);
  });
  try {
    for (let turn = 0; turn < 2; turn++) await process(places);
  } finally {
    slow.mockRestore();
    vi.useRealTimers();
  }
  const waiting = await sql(
    'select count(*)::int from event_inbox where organization_id = $1 group by key_id order by key_id',
    [organizationId],
  );
  // The first turn ended with the third key.
  expect(waiting.map(({ count }) => count)).toEqual([1, 1, 2, 2]);
  await process(places);
  expect(await sql('select from event_inbox where organization_id = $1', [organizationId])).toEqual([]);
});

it('does not let a key whose events fail delay those of another', async () => {
  const source = await probed();
  const other = await service.mint(source.organizationId, { kind: 'probe', systemId: source.systemId });
  const [stuck, calm] = [source.key, other].sort((a, b) => (a.token_id < b.token_id ? -1 : 1)) as [
    ClientKey,
    ClientKey,
  ];
  await sql(`create function stuck() returns trigger language plpgsql as
    $$ begin raise exception 'locked' using errcode = 'lock_not_available'; end $$`);
  await sql(
    "create trigger stuck before insert on probes for each row when (new.name = 'stuck') execute function stuck()",
  );
  const dropped = (probe: object) => ({
    ...eventOf('probe.dropped', { reason: 'spool_full', count: 1, from: null, to: null }),
    probe,
  });
  await call(service.url, stuck, 'POST', path, { events: [dropped({ ...second, name: 'stuck' })] });
  const events = Array.from({ length: 25 }, () => dropped(second));
  await call(service.url, calm, 'POST', path, { events });
  const waiting = () =>
    sql('select key_id from event_inbox where organization_id = $1', [source.organizationId]);
  // On a busy machine, a turn ends before all are processed.
  for (let turns = 0; turns < 20 && (await waiting()).length > 1; turns++)
    expect(await process()).toEqual(['event.not_processed']);
  expect(await waiting()).toEqual([{ key_id: stuck.token_id }]);
  await sql('drop function stuck() cascade');
  await process();
});

it('refuses times that PostgreSQL does not have, and bounds those of reports', async () => {
  const source = await probed();
  const odd = heartbeat(source.sourceId, { occurred_at: '2026-01-01T00:00:00+23:59' });
  const { status, json } = await call(service.url, source.key, 'POST', path, { events: [odd] });
  expect([status, json.fields?.[0]?.message]).toEqual([400, expect.stringContaining('occurred_at')]);
  await report(source, heartbeat(source.sourceId, { target: { checked_at: '1000-01-01T00:00:00Z' } }));
  const test = await call(service.url, source.reader, 'POST', `/api/v1/sources/${source.sourceId}/test`, {});
  expect([test.status, test.json.test.age_seconds]).toEqual([200, 2_147_483_647]);
});

it('takes no part of an assessment from another probe', async () => {
  const source = await probed();
  const event = assessment(source.sourceId, flawed.slice(0, 2));
  await report(source, event);
  await report(source, { ...event, id: randomUUID(), probe: second, results: flawed.slice(2) });
  expect(await probesOf(source)).toContainEqual(
    expect.objectContaining({ name: 'second', ignored: '1', ignored_reason: 'assessment_of_other' }),
  );
});

it('frees the places of probes when their key is revoked', async () => {
  const source = await probed();
  const named = (name: string) => ({
    ...heartbeat(source.sourceId),
    id: randomUUID(),
    probe: { name, version: '1', instance: randomUUID() },
  });
  await report(source, ...Array.from({ length: 60 }, (_, index) => named(`p-${index}`)));
  await sql('update api_keys set revoked_at = now() where id = $1', [source.key.token_id]);
  const key = await service.mint(source.organizationId, { kind: 'probe', systemId: source.systemId });
  await report({ ...source, key }, named('honest'));
  expect((await probesOf(source)).map(({ name }) => name)).toContain('honest');
});

it.each([
  ['lock_not_available', 'probes'],
  ['out_of_memory', 'probes'],
  ['disk_full', 'probes'],
  ['io_error', 'probes'],
  // Behind these, statements are sent that PostgreSQL refuses because of the first.
  ['lock_not_available', 'findings'],
  ['deadlock_detected', 'finding_episodes'],
  ['lock_not_available', 'source_postures'],
])('does not give up an event because of what others cause: %s in %s', async (code, table) => {
  const source = await probed();
  await report(source, heartbeat(source.sourceId));
  const blocked = `create function blocked() returns trigger language plpgsql as
    $$ begin raise exception 'blocked' using errcode = '${code}'; end $$`;
  await sql(blocked);
  await sql(
    `create trigger blocked before insert or update on ${table} for each row execute function blocked()`,
  );
  expect(await report(source, assessment(source.sourceId, flawed))).toEqual(['event.not_processed']);
  for (let attempt = 0; attempt < 8; attempt++) expect(await process()).toEqual(['event.not_processed']);
  await sql('drop function blocked() cascade');
  await process();
  expect(await openChecks(source)).toHaveLength(2);
});

it('does not give up an event because requests of its organization use all connections', async () => {
  const source = await probed();
  await call(service.url, source.key, 'POST', path, { events: [heartbeat(source.sourceId)] });
  const waiting = (await firstWaiting(source.store))!;
  const busy = new Refusal('request_failed', {}, { cause: 'no database connection was free in time' });
  const failed = (error: Error) =>
    source.store.transaction(transaction => countAttempt(transaction, waiting, error));
  for (let attempt = 0; attempt < 8; attempt++) expect(await failed(busy)).toBe('later');
  await process();
  expect(await probesOf(source)).toHaveLength(1);
});

it.each([
  ['valid', 'null'],
  ['revoked', 'now()'],
])('processes the events of others while a probe with a %s key is locked', async (_state, revokedAt) => {
  const [locked, other] = [await probed(), await probed()];
  await report(locked, heartbeat(locked.sourceId));
  for (const { key, sourceId } of [locked, other])
    await call(service.url, key, 'POST', path, { events: [heartbeat(sourceId)] });
  await sql(`update api_keys set revoked_at = ${revokedAt} where id = $1`, [locked.key.token_id]);
  const failures: unknown[] = [];
  const log = (_: string, fields: object) => void failures.push((fields as { err: unknown }).err);
  await asOwner(service.database.connection, async holder => {
    await holder.query('begin');
    await holder.query('select from probes where organization_id = $1 for update', [locked.organizationId]);
    await processEvents({ storage: service.storage, log });
    await holder.query('rollback');
  });
  expect(failures).toMatchObject([{ code: '55P03' }]);
  expect(await probesOf(other)).toHaveLength(1);
  expect(await process()).toEqual([]);
});

it('states what it cannot store of a source with too many findings, and still finds a silent probe', async () => {
  const source = await probed();
  await report(source, heartbeat(source.sourceId), assessment(source.sourceId, hardened));
  await sql(
    `insert into findings (organization_id, system_id, source_id, fingerprint, category, locator, severity, title, remediation,
        seen, hipaa, observed)
      select $1, $2, $3, 'past' || n, 'postgres.fsync_off', n::text, 'high', 't', 'r', 's', false, false
      from generate_series(1, 20000) as n`,
    [source.organizationId, source.systemId, source.sourceId],
  );
  await report(source, assessment(source.sourceId, flawed));
  expect(await openChecks(source)).toEqual([]);
  const { scans } = await list(source, 'scans');
  expect(scans[0]).toMatchObject({ status: 'completed', verdict: 'inconclusive' });
  await sql("update probes set last_seen_at = now() - interval '1 hour' where organization_id = $1", [
    source.organizationId,
  ]);
  await dueTurn(service);
  expect(await openChecks(source)).toEqual(['probe.silent']);
});

it('bounds what a compromised probe can cause', async () => {
  const source = await probed();
  const twice = assessment(source.sourceId, [flawed[0]!, flawed[0]!]);
  await report(source, twice);
  expect(await probesOf(source)).toMatchObject([{ ignored: '1', ignored_reason: 'result_invalid' }]);
  const names = Array.from({ length: 60 }, (_, index) => ({
    ...heartbeat(source.sourceId),
    probe: { name: `p-${index}`, version: '1', instance: randomUUID() },
  }));
  await report(source, ...names);
  expect(await probesOf(source)).toHaveLength(50);
  await sql(
    `with made as (
        insert into scans (organization_id, profile, source_id, idempotency_key, status, finished_at)
        select $1, 'safe_all_surfaces', $2, n::text, 'completed', now() from generate_series(1, 1439) as n returning id)
      insert into probe_assessments (organization_id, source_id, assessment_id, scan_id, probe_id, probe_version, key_id)
      select $1, $2, gen_random_uuid(), made.id, p.id, '1', p.key_id from made, probes p
      where p.organization_id = $1 and p.name = 'office'`,
    [source.organizationId, source.sourceId],
  );
  await report(source, assessment(source.sourceId, flawed), assessment(source.sourceId, hardened));
  expect(await openChecks(source)).toHaveLength(2);
  expect(await probesOf(source)).toContainEqual(
    expect.objectContaining({ name: 'office', ignored: '2', ignored_reason: 'too_many_assessments' }),
  );
  // Those of another key still count.
  const key = await service.mint(source.organizationId, { kind: 'probe', systemId: source.systemId });
  await report({ ...source, key }, assessment(source.sourceId, hardened));
  expect(await openChecks(source)).toEqual([]);
  const many = Array.from({ length: 600 }, (_, index) => ({
    kind: 'postgres' as const,
    host: `h${index}:5432`,
    via: 'listening_socket' as const,
  }));
  for (let start = 0; start < many.length; start += 99) {
    const probe = { name: `p-${start / 99}`, version: '1', instance: randomUUID() };
    await report(source, { ...eventOf('probe.inventory', { seen: many.slice(start, start + 99) }), probe });
  }
  expect(
    await sql('select host from inventory where organization_id = $1', [source.organizationId]),
  ).toHaveLength(500);
});

it('records what changed, and the databases that are no sources', async () => {
  const source = await probed();
  const changes = [
    { area: 'role', name: 'backup', change: 'added' },
    { area: 'setting', name: 'ssl', change: 'changed' },
  ];
  await report(
    source,
    eventOf('probe.drift', { source_id: source.sourceId, since: '2026-01-01T00:00:00Z', changes, more: 0 }),
  );
  expect(
    await sql('select area, name, change from source_changes where source_id = $1 order by place', [
      source.sourceId,
    ]),
  ).toEqual(changes);
  const seen = [
    { kind: 'postgres', host: 'db.internal', via: 'listening_socket' },
    { kind: 'mysql', host: '10.0.0.5:3306', via: 'listening_socket' },
  ];
  await report(source, eventOf('probe.inventory', { seen }), eventOf('probe.inventory', { seen }));
  expect(
    await sql('select kind, host from inventory where organization_id = $1', [source.organizationId]),
  ).toEqual([{ kind: 'mysql', host: '10.0.0.5:3306' }]);
  // A firewall that sees it too does not take it over.
  const { systemId } = source;
  await source.store.transaction(transaction =>
    recordInventory(transaction, { systemId, probeId: null }, [
      { kind: 'mysql', host: '10.0.0.5:3306', via: 'firewall' },
    ]),
  );
  expect(await sql('select via from inventory where organization_id = $1', [source.organizationId])).toEqual([
    { via: 'listening_socket' },
  ]);
  // A newer list of the probe replaces it.
  await report(source, eventOf('probe.inventory', { seen: [] }));
  expect(await sql('select from inventory where organization_id = $1', [source.organizationId])).toEqual([]);
});

it('lists databases of a valid key though those of a revoked one filled the list', async () => {
  const source = await probed();
  const { organizationId, systemId } = source;
  const compromised = await service.mint(organizationId, { kind: 'probe', systemId });
  await report({ key: compromised }, { ...eventOf('probe.inventory', { seen: [] }), probe: second });
  await sql(
    `insert into inventory (organization_id, system_id, kind, host, via, probe_id)
      select organization_id, system_id, 'postgres', 'h' || n, 'listening_socket', id
      from probes, generate_series(1, 500) as n where organization_id = $1`,
    [organizationId],
  );
  const seen = [{ kind: 'mysql', host: '10.0.0.5:3306', via: 'listening_socket' }];
  const listed = () =>
    sql("select host from inventory where organization_id = $1 and kind = 'mysql'", [organizationId]);
  await report(source, eventOf('probe.inventory', { seen }));
  expect(await listed()).toEqual([]);
  await sql('update api_keys set revoked_at = now() where id = $1', [compromised.token_id]);
  await report(source, eventOf('probe.inventory', { seen }));
  expect(await listed()).toEqual([{ host: '10.0.0.5:3306' }]);
});

it('keeps 5,000 changes of each key: a compromised one removes none of another', async () => {
  const source = await probed();
  const drift = (changes: object[]) =>
    eventOf('probe.drift', { source_id: source.sourceId, since: '2026-01-01T00:00:00Z', changes, more: 0 });
  await report(source, drift([{ area: 'grant', name: 'app.secrets', change: 'changed' }]));
  const key = await service.mint(source.organizationId, { kind: 'probe', systemId: source.systemId });
  for (let event = 0; event < 11; event++) {
    const names = Array.from({ length: 500 }, (_, index) => `invented ${event} ${index}`);
    await report({ ...source, key }, drift(names.map(name => ({ area: 'grant', name, change: 'added' }))));
  }
  const kept = await sql('select name, key_id from source_changes where source_id = $1', [source.sourceId]);
  const [own, invented] = [source.key, key].map(({ token_id }) =>
    kept.filter(({ key_id }) => key_id === token_id),
  );
  expect(own).toMatchObject([{ name: 'app.secrets' }]);
  expect(invented).toHaveLength(5_000);
  expect(invented!.some(({ name }) => name.startsWith('invented 0 '))).toBe(false);
});

it('keeps 5,000 changes of all keys together that are not valid, and all of the others', async () => {
  const source = await probed();
  const mint = () => service.mint(source.organizationId, { kind: 'probe', systemId: source.systemId });
  const [revoked, expired] = [await mint(), await mint()];
  await sql('update api_keys set revoked_at = now() where id = $1', [revoked.token_id]);
  await sql(
    "update api_keys set created_at = now() - interval '2 days', expires_at = now() - interval '1 day' where id = $1",
    [expired.token_id],
  );
  // Those without a key are from before, and the newest.
  const stored: [keyId: string | null, count: number, year: string][] = [
    [null, 4_999, '2025-01-01'],
    [revoked.token_id, 2, '2024-01-01'],
    [expired.token_id, 2, '2023-01-01'],
    [source.key.token_id, 3, '2022-01-01'],
  ];
  for (const [keyId, count, day] of stored) {
    await sql(
      `insert into source_changes (organization_id, source_id, key_id, event_id, place, occurred_at, area, name, change)
        select $1, $2, $3, gen_random_uuid(), n, $5, 'role', 'r', 'added' from generate_series(1, $4::int) as n`,
      [source.organizationId, source.sourceId, keyId, count, day],
    );
  }
  const changes = [{ area: 'role', name: 'new', change: 'added' }];
  const drift = { source_id: source.sourceId, since: '2026-01-01T00:00:00Z', changes, more: 0 };
  await report(source, eventOf('probe.drift', drift));
  const kept = await sql(
    'select key_id, count(*)::int from source_changes where source_id = $1 group by key_id order by count',
    [source.sourceId],
  );
  expect(kept).toEqual([
    { key_id: revoked.token_id, count: 1 },
    { key_id: source.key.token_id, count: 4 },
    { key_id: null, count: 4_999 },
  ]);
});
