import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { captureWith } from '../../src/detectors/postgres/hardened-capture.ts';
import { currentRiskStatement } from '../../src/domain/risk-statements.ts';
import { processEvents } from '../../src/worker/tasks/process-events.ts';
import { addPerson, type TestPerson } from '../support/people.ts';
import { asOwner } from '../support/postgres.ts';
import { assessment, eventOf, heartbeat, path as ingest, reportsOn } from '../support/probe-events.ts';
import { recordedEntries } from '../support/recorded-entries.ts';
import { type SharedService, sharedService } from '../support/service.ts';
import { requests, shieldPath } from '../support/shield-events.ts';
import { type ClientKey, call } from '../support/signing-client.ts';

let service: SharedService;
beforeAll(async () => {
  service = await sharedService();
});

interface Setting {
  readonly organizationId: string;
  readonly systemId: string;
  readonly admin: TestPerson;
  readonly member: TestPerson;
  readonly at: (path: string) => string;
}

async function setting(): Promise<Setting> {
  const organizationId = await service.createOrganization();
  const admin = await addPerson(service, organizationId, 'admin');
  const member = await addPerson(service, organizationId, 'member');
  const at = (path: string) => `/organizations/${organizationId}${path}`;
  const { json } = await admin.client.post(at('/systems'), {
    name: 'Clinic',
    environment: 'production',
    kind: 'application',
  });
  return { organizationId, systemId: json.system.id, admin, member, at };
}

const statement_versions = {
  postgres: currentRiskStatement('postgres').version,
  website: currentRiskStatement('website').version,
};
const database = { kind: 'postgres', name: 'Orders', host: 'DB.internal:5432' };

const add = ({ admin, at, systemId }: Setting, body: object = {}) =>
  admin.client.post(at(`/systems/${systemId}/probes`), {
    name: 'office',
    sources: [],
    new_sources: [database],
    statement_versions,
    ...body,
  });

async function report(key: ClientKey, ...events: object[]): Promise<void> {
  const { status, json } = await call(service.url, key, 'POST', ingest, { events });
  expect([status, json.rejected]).toEqual([202, []]);
  await processEvents({ storage: service.storage, log: () => {} });
}

it('adds a probe: its sources, accepted and authorized, and its key, with an entry for each', async () => {
  const place = await setting();
  const { admin, at, organizationId, systemId } = place;
  const drafted = await admin.client.post(at('/sources'), {
    system_id: systemId,
    name: 'Intranet',
    kind: 'website',
    host: 'intranet.internal',
    connection_mode: 'probe',
  });
  const { status, json } = await add(place, { sources: [drafted.json.source.id] });
  expect(status).toBe(201);
  expect(json.sources).toMatchObject([
    { id: drafted.json.source.id, status: 'pending', connection_mode: 'probe' },
    { name: 'Orders', host: 'db.internal', status: 'pending', connection_mode: 'probe', system_id: systemId },
  ]);
  expect(json.sources.every((source: { scan_authorized_at: string }) => source.scan_authorized_at)).toBe(
    true,
  );
  expect(json.key).toMatchObject({
    key: { kind: 'probe', name: 'Probe office', system_id: systemId, status: 'active' },
    token: expect.stringMatching(/^svc_probe_/),
    signing_key: expect.stringMatching(/^svc_sign_/),
  });
  const { rows } = await asOwner(service.database.connection, client =>
    client.query(
      `select action from ${recordedEntries} where organization_id = $1 and actor_id = $2 order by sequence`,
      [organizationId, admin.id],
    ),
  );
  expect(rows.map(({ action }) => action).slice(-6)).toEqual([
    'source.created',
    'source.risk_accepted',
    'source.scan_authorized',
    'source.risk_accepted',
    'source.scan_authorized',
    'key.minted',
  ]);
});

it('adds nothing if a part is refused, and names the part', async () => {
  const place = await setting();
  const { admin, at, systemId } = place;
  const direct = await admin.client.post(at('/sources'), {
    system_id: systemId,
    name: 'Direct',
    kind: 'website',
    host: 'www.example',
  });
  const problem = async (body: object) => {
    const { status, json } = await add(place, body);
    return [status, json.error_code, json.fields?.[0]?.path];
  };
  const wrong = { ...database, host: 'postgres://db' };
  expect(await problem({ new_sources: [database, wrong] })).toEqual([400, undefined, 'new_sources.1.host']);
  expect(await problem({ new_sources: [] })).toEqual([400, undefined, 'sources']);
  expect(await problem({ sources: [direct.json.source.id] })).toEqual([400, undefined, 'sources']);
  expect(await problem({ sources: [(await setting()).systemId] })).toEqual([400, undefined, 'sources']);
  expect(await problem({ name: 'Office 1' })).toEqual([400, undefined, 'name']);
  const outdated = await add(place, { statement_versions: { postgres: '0' } });
  expect(outdated.json).toMatchObject({
    error_code: 'risk_statement_outdated',
    risk_statement: currentRiskStatement('postgres'),
  });
  const { json } = await admin.client.get(at('/sources'));
  expect(json.sources.map(({ name }: { name: string }) => name)).toEqual(['Direct']);
  expect((await admin.client.get(at('/keys'))).json.keys).toEqual([]);
});

it('shows what a probe reports, to members as well', async () => {
  const place = await setting();
  const { member, at, systemId } = place;
  const { key, sources } = (await add(place)).json;
  const id = sources[0].id;
  expect((await member.client.get(at('/probes'))).json.probes).toEqual([]);
  await report(
    key,
    heartbeat(id, {
      target: { state: 'failing', error_code: 'auth_failed' },
      spool: { events: 3, bytes: 900, oldest_at: new Date().toISOString(), set_aside: 1 },
    }),
    assessment('00000000-0000-4000-8000-000000000009', []),
    eventOf('probe.dropped', { reason: 'spool_full', count: 7, from: null, to: null }),
  );
  const { probes } = (await member.client.get(at(`/probes?system_id=${systemId}`))).json;
  expect(probes).toMatchObject([
    {
      name: 'office',
      system: { id: systemId, name: 'Clinic' },
      silent_since: null,
      spool: { events: 3, bytes: 900, set_aside: 1 },
      dropped: 7,
      ignored: { count: 1, reason: expect.stringContaining('a source that its system does not have') },
      targets: { ok: 0, failing: 1, waiting: 0 },
      key: { id: key.token_id, name: 'Probe office', revoked_at: null },
    },
  ]);
  const { probe } = (await member.client.get(at(`/probes/${probes[0].id}`))).json;
  expect(probe.spool.as_of).toBe(probe.reports[0].reported_at);
  expect(probe.reports).toMatchObject([
    {
      name: 'db',
      state: 'failing',
      error: expect.stringContaining('rejected the login of the probe'),
      source: { id },
    },
  ]);
  const { source } = (await member.client.get(at(`/sources/${id}`))).json;
  expect(source).toMatchObject({
    status: 'failing',
    domain_proof: null,
    report: {
      state: 'failing',
      probe: {
        id: probes[0].id,
        name: 'office',
        last_seen_at: probes[0].last_seen_at,
        silent_since: null,
        key: { expires_at: probes[0].key.expires_at, revoked_at: null },
      },
    },
  });
});

it('states the newest assessment of a target, also one that is newer than the heartbeat', async () => {
  const place = await setting();
  const { member, at } = place;
  const { key, sources } = (await add(place)).json;
  const id = sources[0].id;
  const assessed = async () => {
    const [{ id: probeId }] = (await member.client.get(at('/probes'))).json.probes;
    return [
      (await member.client.get(at(`/probes/${probeId}`))).json.probe.reports[0].checked_at,
      (await member.client.get(at(`/sources/${id}`))).json.source.report.checked_at,
    ];
  };
  const minutesAgo = (minutes: number) =>
    new Date(Date.now() - minutes * 60_000).toISOString().replace('Z', '+00:00');
  const [first, second] = [minutesAgo(17), minutesAgo(6)];
  await report(key, heartbeat(id, { target: { checked_at: first } }));
  expect(await assessed()).toEqual([first, first]);
  await report(key, assessment(id, reportsOn(captureWith()), { started_at: second }));
  expect(await assessed()).toEqual([second, second]);
});

it('states a cause of failure with the time of the heartbeat that named it', async () => {
  const place = await setting();
  const { member, at } = place;
  const { key, sources } = (await add(place)).json;
  const id = sources[0].id;
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
  const [first, second] = [minutesAgo(17), minutesAgo(6)];
  const failing = (error_code: string, checked_at: string) =>
    heartbeat(id, { target: { state: 'failing', error_code, checked_at } });
  await report(
    key,
    failing('connection_refused', first),
    assessment(id, [], { started_at: second, error_code: 'auth_failed' }),
  );
  const stated = async () => {
    const [{ id: probeId }] = (await member.client.get(at('/probes'))).json.probes;
    const { probe } = (await member.client.get(at(`/probes/${probeId}`))).json;
    const { source } = (await member.client.get(at(`/sources/${id}`))).json;
    return [probe.reports[0], source.report].map(({ error, checked_at }) => [
      /refused the connection|rejected the login/.exec(error)?.[0],
      new Date(checked_at).toISOString(),
    ]);
  };
  const refused = ['refused the connection', first];
  expect(await stated()).toEqual([refused, refused]);
  await report(key, failing('auth_failed', second));
  const rejected = ['rejected the login', second];
  expect(await stated()).toEqual([rejected, rejected]);
});

it('names the probe of a source in the details of a control, and asks for one where none has reported', async () => {
  const place = await setting();
  const { member, at } = place;
  const { key, sources } = (await add(place)).json;
  const id = sources[0].id;
  const read = async () => (await member.client.get(at('/controls/164.312(e)(2)(ii)'))).json;
  await report(key, heartbeat(id, { target: { state: 'waiting', checked_at: null } }));
  const before = await read();
  const missing = '1 source in probe mode never assessed. Add a probe, or check why its probe fails.';
  expect(before.control.reasons).toContain(missing);
  expect(before.control.reasons.join()).not.toContain('Run a scan');
  expect(before.sources).toMatchObject([{ id, probe: null, looked_at: null }]);
  await report(key, assessment(id, reportsOn(captureWith())));
  const after = await read();
  expect(after.sources).toMatchObject([{ id, probe: 'office 1.0.0' }]);
  expect(after.control.reasons).not.toContain(missing);
});

it('tells which sources a probe assesses that cannot report, until another one reports on them', async () => {
  const place = await setting();
  const { member, at, organizationId } = place;
  const { key, sources } = (await add(place)).json;
  const id = sources[0].id;
  const states = async () => [
    (await member.client.get(at('/sources'))).json.sources[0].probe_state,
    (await member.client.get(at(`/sources/${id}`))).json.source.probe_state,
    (await member.client.get(at('/overview'))).json.attention[0]?.probe_state,
  ];
  const all = (state: string) => [state, state, state];
  await report(key, heartbeat(id, { target: { state: 'failing', error_code: 'auth_failed' } }));
  expect(await states()).toEqual(all('reporting'));
  await asOwner(service.database.connection, client =>
    client.query('update probes set silent_since = now() where organization_id = $1', [organizationId]),
  );
  expect(await states()).toEqual(all('silent'));
  // At once, although the probe is silent only later.
  const setKey = (set: string) =>
    asOwner(service.database.connection, client =>
      client.query(`update api_keys set ${set} where id = $1`, [key.token_id]),
    );
  await setKey("created_at = now() - interval '2 days', expires_at = now() - interval '1 day'");
  expect(await states()).toEqual(all('key_expired'));
  await setKey('revoked_at = now()');
  expect(await states()).toEqual(all('key_revoked'));
  const second = { name: 'second', version: '1.0.0', instance: '00000000-0000-4000-8000-000000000002' };
  await report(
    await service.mint(organizationId, { kind: 'probe', systemId: place.systemId }),
    heartbeat(id, { probe: second, target: { state: 'failing', error_code: 'auth_failed' } }),
  );
  expect(await states()).toEqual(all('reporting'));
});

it('says which probe no longer names a source, and what to do, until one names it again', async () => {
  const place = await setting();
  const { member, at } = place;
  const { key, sources } = (await add(place)).json;
  const id = sources[0].id;
  await report(key, assessment(id, reportsOn(captureWith())), heartbeat(id));
  const shown = async () => {
    const { source } = (await member.client.get(at(`/sources/${id}`))).json;
    const { attention } = (await member.client.get(at('/overview'))).json;
    return [source.status, source.state.next?.text, source.dropped, attention.length];
  };
  expect(await shown()).toEqual(['connected', undefined, null, 0]);
  await report(key, heartbeat(id, { targets: [] }));
  const probe = (await member.client.get(at('/probes'))).json.probes[0];
  expect(await shown()).toEqual([
    'pending',
    'Its probe no longer names it: add it to the targets of a probe.',
    { probe: { id: probe.id, name: 'office' }, removed: false, dropped_at: expect.any(String) },
    1,
  ]);
  await report(key, heartbeat(id));
  expect(await shown()).toEqual(['connected', undefined, null, 0]);
});

it('refuses a second probe of the same name, since they would be one', async () => {
  const place = await setting();
  const { key, sources } = (await add(place)).json;
  await report(key, heartbeat(sources[0].id));
  const { status, json } = await add(place);
  expect([status, json.fields[0].path]).toEqual([400, 'name']);
});

it('rotates a key while the old one still works, and reports which one the probe uses', async () => {
  const place = await setting();
  const { admin, member, at } = place;
  const { key, sources } = (await add(place)).json;
  await report(key, heartbeat(sources[0].id));
  const [probe] = (await admin.client.get(at('/probes'))).json.probes;
  const next = (await admin.client.post(at(`/probes/${probe.id}/rotate-key`))).json;
  expect(next.key).toMatchObject({ name: 'Probe office', kind: 'probe', status: 'active' });
  const keyNow = async () => (await member.client.get(at(`/probes/${probe.id}`))).json.probe.key.id;
  await report(key, heartbeat(sources[0].id));
  expect(await keyNow()).toBe(key.token_id);
  await report(next, heartbeat(sources[0].id));
  expect(await keyNow()).toBe(next.token_id);
  expect((await admin.client.post(at(`/keys/${key.token_id}/revoke`))).status).toBe(200);
  await report(next, heartbeat(sources[0].id));
  // Its events are those of both.
  const sent = async (filter: string) =>
    (await member.client.get(at(`/events?${filter}`))).json.events.length;
  expect(await sent(`probe_id=${probe.id}`)).toBe(4);
  expect(await sent(`key_id=${next.token_id}`)).toBe(2);
  expect(await sent(`probe_id=${sources[0].id}`)).toBe(0);
  // Not those of others with the same key.
  const second = { name: 'lab', version: '1.0.0', instance: randomUUID() };
  await report(next, { ...heartbeat(sources[0].id), probe: second });
  const { probes } = (await admin.client.get(at('/probes'))).json;
  const lab = probes.find(({ name }: { name: string }) => name === 'lab');
  expect(await sent(`probe_id=${probe.id}`)).toBe(4);
  expect(await sent(`probe_id=${lab.id}`)).toBe(1);
  expect(await sent(`probe_id=${lab.id}&kind=probe.heartbeat&channel=events`)).toBe(1);
  expect(await sent(`probe_id=${lab.id}&channel=shield`)).toBe(0);
});

it('lists the older key of a probe for as long as it is valid, unless another probe uses it', async () => {
  const place = await setting();
  const { admin, member, at } = place;
  const { key, sources } = (await add(place)).json;
  await report(key, heartbeat(sources[0].id));
  const [probe] = (await admin.client.get(at('/probes'))).json.probes;
  const next = (await admin.client.post(at(`/probes/${probe.id}/rotate-key`))).json;
  await report(next, heartbeat(sources[0].id));
  const older = async () =>
    (await member.client.get(at(`/probes/${probe.id}`))).json.probe.older_keys.map(
      ({ id }: { id: string }) => id,
    );
  expect(await older()).toEqual([key.token_id]);
  const lobby = { name: 'lobby', version: '1.0.0', instance: randomUUID() };
  await report(key, { ...heartbeat(sources[0].id), probe: lobby });
  expect(await older()).toEqual([]);
  await report(next, { ...heartbeat(sources[0].id), probe: lobby });
  expect(await older()).toEqual([key.token_id]);
  const revoked = await admin.client.post(at(`/keys/${key.token_id}/revoke`));
  expect([revoked.status, await older()]).toEqual([200, []]);
});

it('lists what changed in a source, page by page', async () => {
  const place = await setting();
  const { member, at } = place;
  const { key, sources } = (await add(place)).json;
  const changes = Array.from({ length: 60 }, (_, index) => ({
    area: 'grant',
    name: `table ${index}`,
    change: 'added',
  }));
  await report(
    key,
    eventOf('probe.drift', { source_id: sources[0].id, since: '2026-01-01T00:00:00Z', changes, more: 0 }),
  );
  const list = at(`/sources/${sources[0].id}/changes`);
  const first = (await member.client.get(list)).json;
  const second = (await member.client.get(`${list}?cursor=${first.next_cursor}`)).json;
  const names = [...first.changes, ...second.changes].map(({ name }: { name: string }) => name);
  expect(new Set(names).size).toBe(60);
  expect([first.changes.length, second.next_cursor]).toEqual([50, null]);
  expect((await member.client.get(`${list.replace(sources[0].id, place.systemId)}`)).status).toBe(404);
});

/** What people adopted or dismissed. */
const decidedOf = async ({ organizationId }: Setting): Promise<object[]> =>
  (
    await asOwner(service.database.connection, client =>
      client.query(
        `select host, source_id, dismissed_at from inventory where organization_id = $1
          and (source_id is not null or dismissed_at is not null) order by host`,
        [organizationId],
      ),
    )
  ).rows;

it('lists what a probe saw, adopts it as a draft in probe mode, and dismisses it', async () => {
  const place = await setting();
  const { admin, member, at, systemId } = place;
  const { key } = (await add(place)).json;
  const seen = ['10.0.0.5', '10.0.0.6'].map(host => ({ kind: 'mysql', host, via: 'listening_socket' }));
  await report(key, eventOf('probe.inventory', { seen }));
  const hosts = async () =>
    (await member.client.get(at(`/inventory?system_id=${systemId}`))).json.inventory.map(
      ({ host }: { host: string }) => host,
    );
  expect(await hosts()).toEqual(['10.0.0.5', '10.0.0.6']);
  const item = (host: string) => ({ system_id: systemId, kind: 'mysql', host });
  const adopted = await admin.client.post(at('/inventory/adopt'), item('10.0.0.5'));
  expect(adopted.json).toMatchObject({
    source: { kind: 'mysql', host: '10.0.0.5', status: 'draft', connection_mode: 'probe' },
    risk_statement: currentRiskStatement('mysql'),
  });
  expect(await hosts()).toEqual(['10.0.0.6']);
  expect((await admin.client.post(at('/inventory/dismiss'), item('10.0.0.6'))).status).toBe(200);
  await report(key, eventOf('probe.inventory', { seen }));
  expect(await hosts()).toEqual([]);
  // What people decided stays, also while the probe does not see it.
  const decided = await decidedOf(place);
  expect(decided).toMatchObject([{ host: '10.0.0.5' }, { host: '10.0.0.6' }]);
  await report(key, eventOf('probe.inventory', { seen: [] }));
  expect(await decidedOf(place)).toEqual(decided);
  expect((await admin.client.post(at('/inventory/adopt'), item('10.0.0.7'))).status).toBe(404);
});

it('lists hosts that a firewall saw, and adopts one as a website that the service connects to', async () => {
  const place = await setting();
  const { admin, member, at, systemId } = place;
  const { key } = (await add(place)).json;
  const site = await admin.client.post(at('/sources'), {
    system_id: systemId,
    name: 'Shop',
    kind: 'website',
    host: 'shop.example',
  });
  await admin.client.request('PUT', at(`/sources/${site.json.source.id}/shield`), {});
  const events = [requests([{}, { host: 'old.example' }])];
  const { json } = await call(service.url, key, 'POST', shieldPath, { events });
  expect(json).toMatchObject({ accepted: 1, rejected: [] });
  await processEvents({ storage: service.storage, log: () => {} });
  const listed = async (query: string) => (await member.client.get(at(`/inventory?${query}`))).json.inventory;
  const seen = { kind: 'website', host: 'old.example', via: 'firewall', probe: null };
  expect(await listed(`system_id=${systemId}`)).toMatchObject([seen]);
  expect(await listed('via=firewall')).toMatchObject([seen]);
  expect(await listed('via=listening_socket')).toEqual([]);
  const item = { system_id: systemId, kind: 'website', host: 'old.example' };
  expect((await admin.client.post(at('/inventory/adopt'), item)).json.source).toMatchObject({
    host: 'old.example',
    status: 'draft',
    connection_mode: 'direct',
  });
  expect(await listed('via=firewall')).toEqual([]);
});

it('shows the known fields of events of probes, and of no others', async () => {
  const place = await setting();
  const { admin, member, at, organizationId, systemId } = place;
  const { key, sources } = (await add(place)).json;
  const beat = heartbeat(sources[0].id);
  const other = eventOf('probe.hello', { secret: 'not shown' });
  const [target] = beat.targets;
  await report(key, { ...beat, secret: 'not shown', targets: [{ ...target, password: 'not shown' }] }, other);
  // A dashboard key can send an event of the same kind in the other channel.
  const shield = { ...heartbeat(sources[0].id), secret: 'not shown' };
  const dashboardKey = await service.mint(organizationId);
  await call(service.url, dashboardKey, 'POST', '/functions/v1/shield-ingest', {
    system_id: systemId,
    events: [shield],
  });
  const read = async ({ id }: { id: string }, channel: string) =>
    (await member.client.get(at(`/events/${id}?system_id=${systemId}&channel=${channel}`))).json.event;
  expect((await read(beat, 'events')).content).toEqual(beat);
  expect(await read(other as { id: string }, 'events')).toMatchObject({ kind: 'probe.hello', content: null });
  expect(await read(shield, 'shield')).toMatchObject({ kind: 'probe.heartbeat', content: null });
  const ofKey = (id: string) => admin.client.get(at(`/events?system_id=${systemId}&key_id=${id}`));
  expect((await ofKey(key.token_id)).json.events).toHaveLength(2);
  expect((await ofKey(dashboardKey.token_id)).json.events).toHaveLength(1);
});

it('shows the three values of a key once', async () => {
  const place = await setting();
  const { admin, at, systemId } = place;
  const body = { name: 'office', sources: [], new_sources: [database], statement_versions };
  const once = { 'idempotency-key': '00000000-0000-4000-8000-00000000000a' };
  const answers = [0, 1].map(() => admin.client.post(at(`/systems/${systemId}/probes`), body, once));
  const [first, second] = await Promise.all(answers);
  expect([first!.status, second!.status]).toEqual([201, 201]);
  expect(second!.json).toEqual(first!.json);
  const list = await admin.client.get(at('/keys'));
  expect(list.json.keys).toHaveLength(1);
  expect(list.text).not.toContain(first!.json.key.signing_key);
});

it('removes a silent probe from the list, until it reports again', async () => {
  const place = await setting();
  const { admin, member, at } = place;
  const { key, sources } = (await add(place)).json;
  const { id: sourceId } = sources[0];
  await report(
    key,
    heartbeat(sourceId),
    eventOf('probe.inventory', {
      seen: [7, 8, 9].map(n => ({ kind: 'mysql', host: `10.0.0.${n}`, via: 'listening_socket' })),
    }),
  );
  const item = (host: string) => ({ system_id: place.systemId, kind: 'mysql', host });
  await admin.client.post(at('/inventory/adopt'), item('10.0.0.7'));
  await admin.client.post(at('/inventory/dismiss'), item('10.0.0.8'));
  const decided = await decidedOf(place);
  expect(decided).toMatchObject([{ host: '10.0.0.7' }, { host: '10.0.0.8' }]);
  const probes = async () => (await member.client.get(at('/probes'))).json.probes;
  const [{ id }] = await probes();
  const remove = () => admin.client.post(at(`/probes/${id}/remove`), {});
  const refused = await remove();
  expect([refused.status, refused.json.error_code]).toEqual([409, 'probe_reports']);
  await asOwner(service.database.connection, client =>
    client.query(`update probes set silent_since = now() where id = $1`, [id]),
  );
  expect((await remove()).status).toBe(200);
  expect(await probes()).toEqual([]);
  expect((await member.client.get(at(`/probes/${id}`))).status).toBe(404);
  expect((await remove()).status).toBe(404);
  expect((await admin.client.post(at(`/probes/${id}/rotate-key`))).status).toBe(404);
  expect(await decidedOf(place)).toEqual(decided);
  expect((await member.client.get(at('/inventory'))).json.inventory).toEqual([]);
  const { source } = (await member.client.get(at(`/sources/${sourceId}`))).json;
  expect(source).toMatchObject({ status: 'pending', report: null, probe_state: 'dropped' });
  expect(source.dropped).toMatchObject({ probe: { id, name: 'office' }, removed: true });
  const { entries } = (await admin.client.get(at('/audit'))).json;
  expect(entries[0]).toMatchObject({ action: 'system.probe_removed', detail: { probe: 'office' } });
  await report(key, heartbeat(sourceId));
  expect(await probes()).toMatchObject([{ id, silent_since: null, targets: { ok: 1 } }]);
});

it('adds a probe with the name of a removed one', async () => {
  const place = await setting();
  const { admin, at } = place;
  const { key, sources } = (await add(place)).json;
  // A probe that sends no heartbeats is never silent.
  await report(key, eventOf('probe.inventory', { seen: [] }));
  const probes = async () => (await admin.client.get(at('/probes'))).json.probes;
  const [{ id }] = await probes();
  const remove = () => admin.client.post(at(`/probes/${id}/remove`), {});
  expect((await remove()).json.error_code).toBe('probe_reports');
  await asOwner(service.database.connection, client =>
    client.query("update probes set last_seen_at = now() - interval '6 minutes' where id = $1", [id]),
  );
  expect((await remove()).status).toBe(200);
  const again = await add(place, { sources: [sources[0].id], new_sources: [] });
  expect(again.status).toBe(201);
  await report(again.json.key, heartbeat(sources[0].id));
  expect(await probes()).toMatchObject([{ name: 'office', key: { id: again.json.key.token_id } }]);
});
