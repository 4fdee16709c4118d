import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ShieldPeriod } from '../../src/contract/dashboard/shield.ts';
import { listPostureScores } from '../../src/resources/posture/posture.ts';
import { findShieldDetail } from '../../src/resources/shield/shield-detail.ts';
import { listShields } from '../../src/resources/shield/shield-list.ts';
import { turnShieldOff, turnShieldOn } from '../../src/resources/shield/shields.ts';
import { findSourceRow } from '../../src/resources/sources/source-list.ts';
import {
  createSource,
  disconnectSource,
  findSource,
  lockSource,
} from '../../src/resources/sources/sources.ts';
import { processEvents } from '../../src/worker/tasks/process-events.ts';
import { type AuthorizedSource, authorizedSource } from '../support/authorized-source.ts';
import { dueTurn } from '../support/due-turn.ts';
import { untilWaiting } from '../support/held-lock.ts';
import { asOwner } from '../support/postgres.ts';
import { recordedEntries } from '../support/recorded-entries.ts';
import { startService, type TestService } from '../support/service.ts';
import {
  crowdsecHeartbeat,
  group,
  heartbeat,
  requests,
  shieldEvent,
  shieldPath,
} from '../support/shield-events.ts';
import { type ClientKey, call } from '../support/signing-client.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.close());

const sql = async (text: string, values: unknown[] = []) =>
  (await asOwner(service.database.connection, client => client.query(text, values))).rows;

interface Shielded extends AuthorizedSource {
  readonly key: ClientKey;
}

/** A website with the key of a forwarder. */
async function website({ on = true } = {}): Promise<Shielded> {
  const source = await authorizedSource(service, { host: 'https://shop.example:8443/app' });
  const { organizationId, systemId } = source;
  if (on) await turnOn(source);
  return { ...source, key: await service.mint(organizationId, { kind: 'probe', systemId }) };
}

const turnOn = ({ person, sourceId }: AuthorizedSource) =>
  person.transaction(async transaction =>
    turnShieldOn(transaction, (await findSource(transaction, sourceId))!),
  );

async function report({ key }: { readonly key: ClientKey }, ...events: object[]): Promise<void> {
  const { status, json } = await call(service.url, key, 'POST', shieldPath, { events });
  expect([status, json.rejected]).toEqual([202, []]);
  const logged: unknown[] = [];
  const log = (event: string, fields: object) => void logged.push(event, fields);
  let waiting = 1;
  // A turn ends after a second.
  for (let turn = 0; waiting > 0 && turn < 30; turn++) {
    await processEvents({ storage: service.storage, log });
    waiting = (await sql('select from event_inbox')).length;
  }
  expect([waiting, logged]).toEqual([0, []]);
}

const detail = async ({ store, sourceId }: AuthorizedSource, days: ShieldPeriod = 1) =>
  (await findShieldDetail(store, sourceId, days))!;
const forwarderOf = async ({ organizationId }: AuthorizedSource) =>
  (await sql('select * from shield_forwarders where organization_id = $1', [organizationId]))[0];

/** Assesses now, and returns the open findings. @param continuousMs for how long the service has run */
async function assessed(
  { organizationId, sourceId }: AuthorizedSource,
  continuousMs?: number,
): Promise<string[]> {
  await sql('update shields set assess_at = now() where source_id = $1', [sourceId]);
  const logged: unknown[] = [];
  const log = (event: string, fields: object) => void logged.push(event, fields);
  await dueTurn(service, log, continuousMs);
  expect(logged).toEqual([]);
  const rows = await sql(
    `select category from findings where organization_id = $1 and status = 'open' order by category`,
    [organizationId],
  );
  return rows.map(({ category }) => category);
}
const scansOf = ({ organizationId }: AuthorizedSource) =>
  sql('select status, verdict from scans where organization_id = $1 order by created_at', [organizationId]);

it('counts requests by hour, class, rule, path and network, each event once', async () => {
  const source = await website();
  const first = requests([
    {},
    { action: 'detected', attack: 'xss', path: '/', network: null, rule: null, count: 3 },
  ]);
  await report(source, first, heartbeat());
  await report(source, first);
  const others = {
    host: 'shop.example',
    action: 'blocked',
    attack: 'dos',
    count: 500,
    paths: 9,
    networks: 9,
    rules: 1,
    first_at: first.from,
    last_at: first.to,
  } as const;
  await report(source, requests([], { others: [others] }));
  const { timeline, ...shown } = await detail(source);
  expect(timeline).toHaveLength(24);
  expect(shown).toMatchObject({
    state: 'on',
    total: { blocked: 510, detected: 3 },
    attacks: [
      { attack: 'dos', blocked: 500, detected: 0 },
      { attack: 'sqli', blocked: 10, detected: 0 },
      { attack: 'xss', blocked: 0, detected: 3 },
    ],
    rules: [
      { value: '942100', label: 'SQL Injection Attack', blocked: 10, detected: 0 },
      { value: '', blocked: 500, detected: 3 },
    ],
    paths: [
      { value: '/search', label: null, blocked: 10, detected: 0 },
      { value: '/', label: null, blocked: 0, detected: 3 },
      { value: '', label: null, blocked: 500, detected: 0 },
    ],
    networks: [
      { value: '192.0.2.0/24', label: null, blocked: 10, detected: 0 },
      { value: '', label: null, blocked: 500, detected: 3 },
    ],
    firewalls: [{ forwarder: 'edge', engine: 'modsecurity3', silent: false, rule_set_version: '4.28.0' }],
  });
  expect((await detail(source, 90)).timeline).toHaveLength(90);
  const overview = await listShields(source.store);
  expect(overview.sources).toMatchObject([{ id: source.sourceId, state: 'on', blocked: 510, detected: 3 }]);
  expect(overview.forwarders).toMatchObject([{ name: 'edge', ignored: 0, firewalls: [{ records: 7 }] }]);
});

it('keeps the most frequent values of a flood, and the exact total', async () => {
  const source = await website();
  await report(source, requests([{ path: '/often', count: 1_000 }]));
  for (let start = 0; start < 600; start += 200) {
    const flood = Array.from({ length: 200 }, (_, index) => ({
      path: `/p${start + index}`,
      network: `10.${Math.floor((start + index) / 256)}.${(start + index) % 256}.0/24`,
      count: 1,
    }));
    await report(source, requests(flood));
  }
  await report(source, requests([{ path: '/late', count: 50 }]));
  const rows = await sql(
    `select kind, count(*)::int as values, sum(blocked)::int as total from shield_tops where source_id = $1
      group by kind order by kind`,
    [source.sourceId],
  );
  expect(rows).toEqual([
    { kind: 'network', values: 101, total: 1_650 },
    { kind: 'path', values: 101, total: 1_650 },
    { kind: 'rule', values: 1, total: 1_650 },
  ]);
  const { total, paths } = await detail(source);
  expect(total).toEqual({ blocked: 1_650, detected: 0 });
  expect(paths.slice(0, 2).map(({ value }) => value)).toEqual(['/often', '/late']);
  expect(paths).toHaveLength(11);
  expect(paths.reduce((sum, { blocked }) => sum + blocked, 0)).toBe(1_650);
  const many = Array.from({ length: 12 }, (_, part) =>
    requests(Array.from({ length: 200 }, (_, index) => ({ path: `/${part}/${index}`, count: 1 }))),
  );
  for (const event of many) await report(source, event);
  const [blocks] = await sql(
    'select count(*)::int as rows, sum(blocked)::int as total from shield_blocks where source_id = $1',
    [source.sourceId],
  );
  expect(blocks).toEqual({ rows: 2_001, total: 4_050 });
});

it('changes nothing while Shield is off, and forgets nothing when it is turned off', async () => {
  const source = await website({ on: false });
  await report(source, requests([{}]), heartbeat());
  expect(await detail(source)).toMatchObject({ state: 'off', total: { blocked: 0 }, firewalls: [] });
  expect(await forwarderOf(source)).toMatchObject({ ignored: '10', ignored_reason: 'shield_off' });
  expect(await assessed(source)).toEqual([]);
  expect(await sql('select from inventory where organization_id = $1', [source.organizationId])).toEqual([]);
  await turnOn(source);
  await turnOn(source);
  expect(await detail(source)).toMatchObject({ state: 'waiting', recorded: false });
  const detects = heartbeat();
  await report(source, requests([{}]), {
    ...detects,
    firewall: { ...detects.firewall, mode: 'detect_only' },
  });
  expect(await detail(source)).toMatchObject({ state: 'on', total: { blocked: 10 } });
  expect(await assessed(source)).toEqual(['shield.detects_only']);
  expect((await listShields(source.store)).forwarders).toMatchObject([{ used: true }]);
  await source.person.transaction(transaction => turnShieldOff(transaction, source.sourceId));
  await report(source, requests([{}]), heartbeat());
  expect(await detail(source)).toMatchObject({ state: 'off', total: { blocked: 10 }, firewalls: [] });
  // Nothing assesses it any more: pages and controls do not state the last result.
  expect((await listShields(source.store)).forwarders).toMatchObject([{ used: false }]);
  const results = await sql(
    'select distinct outcome, reason from check_assessments where organization_id = $1',
    [source.organizationId],
  );
  expect(results).toEqual([{ outcome: 'not_assessed', reason: 'Shield was turned off.' }]);
  await turnOn(source);
  expect(await detail(source)).toMatchObject({ state: 'waiting', recorded: true, total: { blocked: 10 } });
  await source.person.transaction(transaction => disconnectSource(transaction, source.sourceId));
  await report(source, requests([{}]));
  expect(await detail(source)).toMatchObject({ state: 'off', total: { blocked: 10 } });
  const audited = await sql(
    `select action from ${recordedEntries} where organization_id = $1 and action like '%shield%' order by sequence`,
    [source.organizationId],
  );
  const [on, off] = ['source.shield_turned_on', 'source.shield_turned_off'];
  expect(audited.map(({ action }) => action)).toEqual([on, off, on, off]);
  const detailed = (
    await sql(
      `select detail from ${recordedEntries} where organization_id = $1 and action = 'source.disconnected'`,
      [source.organizationId],
    )
  )[0].detail;
  expect(detailed).toMatchObject({ shield_turned_off: true });
});

it('never changes a source of another system or organization', async () => {
  const [mine, other] = [await website(), await website()];
  await report(mine, requests([{}]), heartbeat());
  expect((await detail(other)).total).toEqual({ blocked: 0, detected: 0 });
  expect((await detail(other)).state).toBe('waiting');
  const systemId = await mine.person.transaction(async transaction => {
    const [system] = await transaction.query<{ id: string }>({
      text: `insert into systems (name, environment, kind) values ('T', 'test', 'api') returning id`,
    });
    return system!.id;
  });
  const key = await service.mint(mine.organizationId, { kind: 'probe', systemId });
  await report({ key }, requests([{}]), heartbeat());
  expect((await detail(mine)).total).toEqual({ blocked: 10, detected: 0 });
  expect(await listShields(other.store)).toMatchObject({ forwarders: [] });
});

it('counts requests of a host once, for the oldest of its sources with Shield on', async () => {
  const first = await website();
  const { organizationId, systemId, person, store } = first;
  const host = 'http://SHOP.example/app';
  const second = await person.transaction(async transaction => {
    const source = await createSource(transaction, { system_id: systemId, name: 'B', kind: 'website', host });
    return { ...first, sourceId: source.id };
  });
  const counted = async (source: AuthorizedSource) => {
    const { state, total, firewalls, counted_for } = await detail(source);
    return {
      state,
      blocked: total.blocked,
      firewalls: firewalls.length,
      counted_for: counted_for?.name ?? null,
    };
  };
  const reported = () => report(first, requests([{}, { host: 'shop.example' }]), heartbeat());
  await reported();
  expect(await counted(second)).toEqual({ state: 'off', blocked: 0, firewalls: 0, counted_for: null });
  await turnOn(second);
  await reported();
  expect(await counted(first)).toEqual({ state: 'on', blocked: 40, firewalls: 1, counted_for: null });
  expect(await counted(second)).toEqual({ state: 'waiting', blocked: 0, firewalls: 0, counted_for: 'W' });
  // The other one takes over, and what was counted stays.
  await person.transaction(transaction => turnShieldOff(transaction, first.sourceId));
  await reported();
  expect(await counted(first)).toEqual({ state: 'off', blocked: 40, firewalls: 0, counted_for: null });
  expect(await counted(second)).toEqual({ state: 'on', blocked: 20, firewalls: 1, counted_for: null });
  expect(await sql('select from inventory where organization_id = $1', [organizationId])).toEqual([]);
  expect((await listShields(store)).forwarders).toMatchObject([{ ignored: 0 }]);
});

it('lists hosts that are no sources, within bounds', async () => {
  const source = await website();
  for (let start = 0; start < 300; start += 100) {
    const hosts = Array.from({ length: 100 }, (_, index) => ({ host: `h${start + index}.example` }));
    await report(source, requests([...hosts, { host: null }, { host: 'SHOP.example'.toLowerCase() }]));
  }
  const rows = await sql('select distinct kind, via from inventory where organization_id = $1', [
    source.organizationId,
  ]);
  expect(rows).toEqual([{ kind: 'website', via: 'firewall' }]);
  expect(await sql('select from inventory where organization_id = $1', [source.organizationId])).toHaveLength(
    100,
  );
  await sql(`update inventory set last_seen_at = now() - interval '31 days' where organization_id = $1`, [
    source.organizationId,
  ]);
  await report(source, requests([{ host: 'real.example' }]));
  expect(await sql('select host from inventory where organization_id = $1', [source.organizationId])).toEqual(
    [{ host: 'real.example' }],
  );
  // What a person has dismissed stays dismissed, and takes no room.
  const dismiss = `update inventory set dismissed_at = now(), last_seen_at = now() - interval '31 days' where organization_id = $1`;
  await sql(dismiss, [source.organizationId]);
  const hosts = Array.from({ length: 100 }, (_, index) => ({ host: `i${index}.example` }));
  await report(source, requests([{ host: 'real.example' }]));
  await report(source, requests(hosts));
  const listed = await sql('select dismissed_at from inventory where organization_id = $1', [
    source.organizationId,
  ]);
  expect(listed.filter(({ dismissed_at }) => dismissed_at !== null)).toHaveLength(1);
  expect(listed).toHaveLength(101);
  expect((await detail(source)).total.blocked).toBe(30);
  expect(await forwarderOf(source)).toMatchObject({ ignored: '4050', ignored_reason: 'host_unknown' });
});

it('ignores requests of impossible times', async () => {
  const source = await website();
  const at = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  await report(source, requests([{}], { from: at(-401) }));
  expect(await forwarderOf(source)).toMatchObject({ ignored_reason: 'too_old' });
  await report(source, requests([{}], { from: at(1) }));
  expect(await forwarderOf(source)).toMatchObject({ ignored: '20', ignored_reason: 'in_future' });
  await report(source, requests([{}], { from: at(-2) }));
  expect((await detail(source, 7)).total.blocked).toBe(10);
});

it('opens findings, and makes a scan only when an outcome changes', async () => {
  const source = await website();
  expect(await assessed(source)).toEqual([]);
  const before = (await scansOf(source)).length;
  await report(source, heartbeat({ firewall: { ...heartbeat().firewall, mode: 'detect_only' } }));
  expect(await assessed(source)).toEqual(['shield.detects_only']);
  expect(await assessed(source)).toEqual(['shield.detects_only']);
  expect(await scansOf(source)).toHaveLength(before + 1);
  // A forwarder that has just started has read no record yet.
  const unknown = { engine: 'modsecurity3', version: null, mode: 'unknown', rule_set: null } as const;
  await report(source, heartbeat({ firewall: unknown, hosts: [] }));
  expect(await assessed(source)).toEqual(['shield.detects_only']);
  await report(source, heartbeat({ problem: 'log_missing' }));
  expect(await assessed(source)).toEqual(['shield.log_unreadable']);
  const states = async () => [
    (await detail(source)).state,
    ...(await listShields(source.store)).sources.map(({ state }) => state),
  ];
  expect(await states()).toEqual(['log_unreadable', 'log_unreadable']);
  const log = { lag_bytes: 0, records: 7, malformed: 7, too_long: 0, last_record_at: null };
  await report(source, heartbeat({ log }));
  expect(await states()).toEqual(['log_unreadable', 'log_unreadable']);
  await report(source, heartbeat());
  expect(await assessed(source)).toEqual([]);
  // Its format changed: of the last records, most are malformed.
  await report(source, heartbeat({ log: { ...log, records: 5_000, malformed: 7 } }));
  await report(source, heartbeat({ log: { ...log, records: 5_100, malformed: 100 } }));
  expect(await states()).toEqual(['log_unreadable', 'log_unreadable']);
  expect(await assessed(source)).toEqual(['shield.log_unreadable']);
  await report(source, heartbeat({ log: { ...log, records: 5_200, malformed: 100 } }));
  expect(await assessed(source)).toEqual([]);
  const silent = `update shield_firewalls set last_seen_at = now() - interval '190 seconds' where organization_id = $1`;
  await sql(silent, [source.organizationId]);
  // Right after a start of the service, it may not have been able to report.
  expect(await assessed(source, 0)).toEqual([]);
  expect(await assessed(source)).toEqual(['shield.silent']);
  const [{ seen }] = await sql(
    `select seen from findings where organization_id = $1 and category = 'shield.silent'`,
    [source.organizationId],
  );
  expect(seen).toMatch(/^The last report came at \d{4}-\d\d-\d\d \d\d:\d\d UTC; .* every 60 seconds\.$/);
  expect(await detail(source)).toMatchObject({ state: 'silent', silent_since: expect.any(String) });
  await report(source, heartbeat());
  expect(await assessed(source)).toEqual([]);
  expect((await scansOf(source)).every(({ status }) => status === 'completed')).toBe(true);
});

it('finds attacks that go on, and rules that block users', async () => {
  const source = await website();
  await sql(`update shields set turned_on_at = now() - interval '2 days' where source_id = $1`, [
    source.sourceId,
  ]);
  await report(source, heartbeat());
  for (const hours of [1, 2, 3]) {
    const from = new Date(Date.now() - hours * 3_600_000).toISOString();
    const rules = { id: '930100', message: null, severity: null };
    await report(source, requests([{ attack: 'lfi', rule: rules, count: 101 }], { from }));
    expect(await assessed(source)).toEqual(hours === 3 ? ['shield.attack_sustained'] : []);
  }
  const users = Array.from({ length: 5 }, (_, index) => ({
    network: `198.51.${index}.0/24`,
    path: '/checkout',
    authenticated: true,
    count: 4,
  }));
  await report(source, requests(users));
  expect(await assessed(source)).toEqual(['shield.attack_sustained', 'shield.rule_blocks_users']);
});

it('finds rules that block users by what it knows in detail, on a day with no room for more', async () => {
  const source = await website();
  const users = requests(
    Array.from({ length: 5 }, (_, index) => ({
      network: `198.51.${index}.0/24`,
      path: '/checkout',
      authenticated: true,
      count: 2,
    })),
  );
  await report(source, heartbeat(), users);
  await sql(
    `insert into shield_blocks (organization_id, source_id, day, rule, path, network, blocked, authenticated)
      select $1, $2, $3, '942100', '/' || n, '192.0.2.0/24', 1, 0 from generate_series(6, 2000) as n`,
    [source.organizationId, source.sourceId, users.from.slice(0, 10)],
  );
  expect(await assessed(source)).toEqual([]);
  await report(source, { ...users, id: randomUUID() });
  expect(await assessed(source)).toEqual(['shield.rule_blocks_users']);
});

it('keeps alerts and active decisions of CrowdSec, the newest', async () => {
  const source = await website();
  const now = Date.now();
  const alert = (number: number) => ({
    alert: number,
    scenario: 'crowdsecurity/http-probing',
    scope: 'ip',
    network: '192.0.2.0/24',
    events: 11,
    created_at: new Date(now + number).toISOString(),
    start_at: new Date(now).toISOString(),
    stop_at: new Date(now).toISOString(),
    simulated: false,
  });
  await report(source, crowdsecHeartbeat());
  for (let start = 1; start <= 1_200; start += 200) {
    const alerts = Array.from({ length: 200 }, (_, index) => alert(start + index));
    await report(source, shieldEvent('shield.alerts', { alerts, more: start === 1 ? 30 : 0 }));
  }
  expect(
    await sql('select from shield_alerts where organization_id = $1', [source.organizationId]),
  ).toHaveLength(1_000);
  const active = { crowdsec: 1, cscli: 0, capi: 15_000, lists: 0, other: 0 };
  const decisions = [decision(1, 3_600), decision(2, 0)];
  await report(source, shieldEvent('shield.decisions', { decisions, active }));
  const shown = await detail(source);
  expect(shown.alerts).toHaveLength(50);
  expect(shown.alerts[0]).toMatchObject({ alert: 1_200 });
  expect(shown.decisions).toMatchObject([{ decision: 1, type: 'ban' }]);
  expect(shown.crowdsec).toEqual({ alerts: 1_000, active_decisions: active });
  expect(await forwarderOf(source)).toMatchObject({ ignored: '30', ignored_reason: 'too_many' });
  const { forwarders } = await listShields(source.store);
  expect(forwarders).toMatchObject([{ name: 'edge', crowdsec: { alerts: 1_000, active_decisions: active } }]);
});

const decision = (number: number, remaining_seconds: number) => ({
  decision: number,
  type: 'ban',
  scope: 'ip',
  network: '192.0.2.0/24',
  remaining_seconds,
  origin: 'crowdsec',
  scenario: 'crowdsecurity/http-probing',
});
const none = { crowdsec: 0, cscli: 0, capi: 0, lists: 0, other: 0 };

it('stores no alerts and decisions of CrowdSec while Shield is off', async () => {
  const source = await website({ on: false });
  const now = new Date().toISOString();
  const alert = { alert: 1, scenario: 's', scope: 'ip', network: null, events: 1, simulated: false };
  const alerts = [{ ...alert, created_at: now, start_at: now, stop_at: now }];
  const decisions = { decisions: [decision(1, 3_600), decision(2, 3_600)], active: none, current: [2, 1] };
  const reported = () => [
    shieldEvent('shield.alerts', { alerts, more: 0 }),
    shieldEvent('shield.decisions', decisions),
  ];
  const stored = async () => {
    const [rows] = await sql(
      `select (select count(*)::int from shield_alerts where organization_id = $1) as alerts,
        (select count(*)::int from shield_decisions where organization_id = $1) as decisions`,
      [source.organizationId],
    );
    return rows;
  };
  await report(source, crowdsecHeartbeat(), ...reported());
  expect(await stored()).toEqual({ alerts: 0, decisions: 0 });
  expect(await forwarderOf(source)).toMatchObject({
    ignored: '3',
    ignored_reason: 'shield_off',
    active_decisions: null,
  });
  await turnOn(source);
  await report(source, ...reported());
  expect(await stored()).toEqual({ alerts: 1, decisions: 2 });
});

it('counts an alert from the future as one of now', async () => {
  const source = await website();
  const [created_at, start_at, stop_at] = ['2999-01-01', '2026-01-01', '2026-01-01'].map(
    day => `${day}T00:00:00Z`,
  );
  const alert = { alert: 7, scenario: 's', scope: 'ip', network: null, events: 1, simulated: false };
  const alerts = [{ ...alert, created_at, start_at, stop_at }];
  await report(source, crowdsecHeartbeat(), shieldEvent('shield.alerts', { alerts, more: 0 }));
  const future = 'select from shield_alerts where organization_id = $1 and created_at > now()';
  expect((await detail(source)).alerts).toHaveLength(1);
  expect(await sql(future, [source.organizationId])).toEqual([]);
});

it('does not let a report that arrives late replace a newer one', async () => {
  const source = await website();
  await report(source, requests([{}]), heartbeat());
  const state = () =>
    sql(
      `select f.version as forwarder, f.instance, f.key_id, f.reported_at, w.version, w.mode, w.problem, w.records,
          w.reported_at as at, s.last_request_at
        from shield_forwarders f join shield_firewalls w on w.forwarder_id = f.id
          join shield_source_firewalls s on s.forwarder_id = f.id where f.organization_id = $1`,
      [source.organizationId],
    );
  const newest = await state();
  expect(newest).toMatchObject([{ forwarder: '1.0.0', key_id: source.key.token_id, mode: 'block' }]);
  const { organizationId, systemId } = source;
  const key = await service.mint(organizationId, { kind: 'probe', systemId });
  const [occurred_at, last_seen_at] = [1, 5].map(ago => new Date(Date.now() - ago * 60_000).toISOString());
  const late = heartbeat({
    occurred_at: occurred_at!,
    firewall: { engine: 'modsecurity3', version: '3.0.8', mode: 'off', rule_set: null },
    problem: 'log_missing',
    hosts: [{ host: 'shop.example', last_seen_at: last_seen_at! }],
  });
  const forwarder = { name: 'edge', version: '0.9.0', instance: randomUUID() };
  await report({ key }, { ...late, forwarder });
  expect(await state()).toEqual(newest);
});

it('forgets a firewall that its forwarder no longer has', async () => {
  const source = await website();
  const engines = async () => (await detail(source)).firewalls.map(({ engine }) => engine).sort();
  await report(source, requests([{}]), heartbeat(), crowdsecHeartbeat({ problem: 'api_refused' }));
  expect(await engines()).toEqual(['crowdsec', 'modsecurity3']);
  expect(await assessed(source)).toEqual(['shield.log_unreadable']);
  const startedAgo = (minutes: number) =>
    heartbeat({ started_at: new Date(Date.now() - minutes * 60_000).toISOString() });
  await sql(
    `update shield_firewalls set reported_at = reported_at - interval '10 minutes'
      where organization_id = $1 and engine = 'crowdsec'`,
    [source.organizationId],
  );
  // Started a moment ago, it may report on CrowdSec later.
  await report(source, startedAgo(2));
  expect(await engines()).toEqual(['crowdsec', 'modsecurity3']);
  // It reported on CrowdSec since it was started.
  await report(source, startedAgo(30));
  expect(await engines()).toEqual(['crowdsec', 'modsecurity3']);
  await report(source, startedAgo(6));
  expect(await engines()).toEqual(['modsecurity3']);
  expect(await assessed(source)).toEqual([]);
});

it('gives no score to a website of which the firewall alone is known', async () => {
  const source = await website();
  const detectsOnly = { ...heartbeat().firewall, mode: 'detect_only' } as const;
  await report(source, heartbeat({ firewall: detectsOnly }));
  expect(await assessed(source)).toEqual(['shield.detects_only']);
  expect(await source.store.read(session => listPostureScores(session, 1))).toMatchObject([
    { score: null, sources: 0 },
  ]);
  const row = await source.store.read(session =>
    findSourceRow(session, source.sourceId, { privilegedConnections: false }),
  );
  expect(row).toMatchObject({ score: null, last_scan: null });
});

it('tells the same numbers of two CrowdSecs apart', async () => {
  const source = await website();
  const now = new Date().toISOString();
  const times = { created_at: now, start_at: now, stop_at: now };
  const about = { scope: 'ip', network: '192.0.2.0/24', scenario: 'crowdsecurity/http-probing' };
  const alerts = [{ alert: 1, ...about, ...times, events: 11, simulated: false }];
  for (const name of ['edge', 'office']) {
    const forwarder = { name, version: '1.0.0', instance: randomUUID() };
    const decisions = { decisions: [decision(1, 3_600)], active: none };
    await report(
      source,
      crowdsecHeartbeat({ forwarder }),
      shieldEvent('shield.alerts', { alerts, more: 0, forwarder }),
      shieldEvent('shield.decisions', { ...decisions, forwarder }),
    );
  }
  const shown = await detail(source);
  const both = ['edge 1', 'office 1'];
  expect(shown.alerts.map(({ forwarder, alert }) => `${forwarder} ${alert}`).sort()).toEqual(both);
  expect(shown.decisions.map(row => `${row.forwarder} ${row.decision}`).sort()).toEqual(both);
});

it('forgets decisions of CrowdSec that were deleted', async () => {
  const source = await website();
  const numbers = async () => (await detail(source)).decisions.map(({ decision: number }) => number);
  const decisions = (made: object[], fields: object) =>
    report(source, shieldEvent('shield.decisions', { decisions: made, active: none, ...fields }));
  await report(source, crowdsecHeartbeat());
  await decisions([decision(1, 3_600), decision(2, 3_600), decision(3, 3_600)], { current: [3, 2, 1] });
  expect(await numbers()).toEqual([3, 2, 1]);
  await decisions([decision(4, 3_600)], { current: [4, 1] });
  expect(await numbers()).toEqual([4, 1]);
  // From an older forwarder, or one of several events.
  await decisions([decision(5, 3_600)], {});
  expect(await numbers()).toEqual([5, 4, 1]);
  const occurred_at = new Date(Date.now() - 60_000).toISOString();
  await decisions([], { current: [], occurred_at, active: { ...none, capi: 9 } });
  expect(await numbers()).toEqual([5, 4, 1]);
  expect((await detail(source)).crowdsec).toMatchObject({ active_decisions: none });
  await decisions([], { current: [] });
  expect(await numbers()).toEqual([]);
});

it('shows CrowdSec on all websites of its system, and states nothing about requests', async () => {
  const source = await website();
  const other = await website();
  const decisions = [decision(1, 3_600)];
  const active = { ...none, crowdsec: 1 };
  await report(source, crowdsecHeartbeat(), shieldEvent('shield.decisions', { decisions, active }));
  expect(await detail(source)).toMatchObject({
    state: 'crowdsec',
    crowdsec: { alerts: 0, active_decisions: active },
    firewalls: [{ engine: 'crowdsec', problem: null }],
    decisions: [{ decision: 1 }],
  });
  expect((await listShields(source.store)).sources).toMatchObject([{ state: 'crowdsec' }]);
  expect(await detail(other)).toMatchObject({ state: 'waiting', crowdsec: null, decisions: [] });
  const silent = (engine: string) =>
    sql(
      `update shield_firewalls set last_seen_at = now() - interval '190 seconds'
        where organization_id = $1 and engine = $2`,
      [source.organizationId, engine],
    );
  await sql(`update shields set turned_on_at = now() - interval '1 day' where source_id = $1`, [
    source.sourceId,
  ]);
  expect(await assessed(source)).toEqual([]);
  const outcomes = await sql(
    'select check_id, outcome from check_assessments where organization_id = $1 order by check_id',
    [source.organizationId],
  );
  expect(outcomes.map(({ check_id, outcome }) => `${check_id} ${outcome}`)).toEqual([
    'shield.attack_sustained not_assessed',
    'shield.detects_only not_assessed',
    'shield.log_unreadable passed',
    'shield.rule_blocks_users not_assessed',
    'shield.rule_set_outdated not_assessed',
    'shield.silent passed',
  ]);
  await report(source, crowdsecHeartbeat({ problem: 'api_refused' }));
  expect(await assessed(source)).toEqual(['shield.log_unreadable']);
  expect(await detail(source)).toMatchObject({ state: 'crowdsec_unreadable', silent_since: null });
  await report(source, crowdsecHeartbeat());
  expect(await assessed(source)).toEqual([]);
  await silent('crowdsec');
  expect(await assessed(source)).toEqual(['shield.silent']);
  expect(await detail(source)).toMatchObject({ state: 'silent', silent_since: expect.any(String) });
  // A firewall that reports requests decides the state; CrowdSec is shown beside it.
  await report(source, heartbeat());
  expect(await detail(source)).toMatchObject({ state: 'on', silent_since: null, firewalls: [{}, {}] });
  // It does not replace one that cannot be read.
  await report(source, crowdsecHeartbeat(), heartbeat({ problem: 'log_missing' }));
  expect(await detail(source)).toMatchObject({ state: 'log_unreadable' });
  await silent('modsecurity3');
  expect(await detail(source)).toMatchObject({ state: 'silent', crowdsec: { alerts: 0 } });
  // Turned on again, it expects only what reports since.
  await source.person.transaction(transaction => turnShieldOff(transaction, source.sourceId));
  expect(await detail(source)).toMatchObject({ state: 'off', crowdsec: null, alerts: [], decisions: [] });
  await turnOn(source);
  expect(await detail(source)).toMatchObject({ state: 'waiting', crowdsec: null });
  await report(source, crowdsecHeartbeat());
  expect(await detail(source)).toMatchObject({ state: 'crowdsec' });
});

it('refuses what is not valid, by name, and keys that are not of probes', async () => {
  const source = await website();
  const send = async (event: object, key = source.key, more = {}) => {
    const { status, json } = await call(service.url, key, 'POST', shieldPath, { events: [event], ...more });
    return [status, json.fields?.[0].message];
  };
  expect(await send({ ...heartbeat(), schema: 2 })).toEqual([
    400,
    'schema 2 of shield.heartbeat is not supported: this service supports schema 1. Update the service',
  ]);
  expect(await send(requests([{ count: 0 }]))).toEqual([400, expect.stringContaining('count')]);
  const reader = await service.mint(source.organizationId);
  expect(await send(requests([group()]), reader, { system_id: source.systemId })).toEqual([
    400,
    'kind shield.requests requires a probe key',
  ]);
  expect(await send(shieldEvent('shield.future', {}))).toEqual([202, undefined]);
  expect(await send({ ...heartbeat(), kind: 'probe.heartbeat' })).toEqual([202, undefined]);
  expect(await sql('select from event_inbox where organization_id = $1', [source.organizationId])).toEqual(
    [],
  );
});

it('forgets hours and days after 400 days, rules, paths and networks after 90, and all three together after 7', async () => {
  const source = await website();
  await sql(
    `insert into shield_hours (organization_id, source_id, hour, attack, blocked, detected)
      select $1, $2, now() - days * interval '1 day', 'sqli', 1, 0 from unnest(array[399, 401]) as days`,
    [source.organizationId, source.sourceId],
  );
  await sql(
    `insert into shield_tops (organization_id, source_id, day, kind, value, blocked, detected)
      select $1, $2, current_date - days, 'path', '/', 1, 0 from unnest(array[89, 91]) as days`,
    [source.organizationId, source.sourceId],
  );
  await sql(
    `insert into shield_blocks (organization_id, source_id, day, rule, path, network, blocked, authenticated)
      select $1, $2, current_date - days, '942100', '/', '192.0.2.0/24', 1, 0 from unnest(array[7, 8]) as days`,
    [source.organizationId, source.sourceId],
  );
  await service.storage.sweep();
  for (const table of ['shield_hours', 'shield_days', 'shield_tops', 'shield_blocks']) {
    expect(await sql(`select from ${table} where source_id = $1`, [source.sourceId]), table).toHaveLength(1);
  }
});

it('bounds the forwarders of a system', async () => {
  const source = await website();
  const names = Array.from({ length: 60 }, (_, index) => ({
    ...heartbeat(),
    forwarder: { name: `f-${index}`, version: '1', instance: randomUUID() },
  }));
  await report(source, ...names);
  expect(
    await sql('select from shield_forwarders where organization_id = $1', [source.organizationId]),
  ).toHaveLength(50);
});

it('keeps no firewall of a source whose Shield is turned off while its heartbeat is processed', async () => {
  const source = await website();
  const [reported] = await source.person.transaction(async transaction => {
    await lockSource(transaction, source.sourceId);
    await turnShieldOff(transaction, source.sourceId);
    const processed = report(source, heartbeat());
    // If it does not wait, it is processed as if Shield was on.
    await Promise.race([untilWaiting(service.database.connection, 1), processed]);
    return [processed];
  });
  await reported;
  const firewalls = 'select from shield_source_firewalls where source_id = $1';
  expect(await sql(firewalls, [source.sourceId])).toEqual([]);
  expect(await detail(source)).toMatchObject({ state: 'off' });
  await turnOn(source);
  await report(source, heartbeat());
  expect(await sql(firewalls, [source.sourceId])).toHaveLength(1);
});
