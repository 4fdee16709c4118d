import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { asOwner } from '../support/postgres.ts';
import { type SharedService, sharedService } from '../support/service.ts';
import { call } from '../support/signing-client.ts';
import { createFixture, type Fixture, routes } from './routes.ts';

let service: SharedService;
let fixture: Fixture;
beforeAll(async () => {
  service = await sharedService();
  fixture = await createFixture(service);
});

const path = '/functions/v1/events-ingest';
const event = (fields: object = {}) => ({
  id: randomUUID(),
  kind: 'postgres.assessed',
  occurred_at: '2026-11-21T08:00:00.123Z',
  ...fields,
});
const push = (body: object, key = fixture.key, to = path) => call(service.url, key, 'POST', to, body);
const stored = async () =>
  (
    await asOwner(service.database.connection, client =>
      client.query('select id, channel, system_id, kind, payload from events where organization_id = $1', [
        fixture.organizationId,
      ]),
    )
  ).rows;

it('stores each event once, however often it is sent (spec 4, 6)', async () => {
  const events = [event({ detail: { tables: 3 } }), event()];
  const system_id = fixture.systemId;
  const first = await push({ system_id, events });
  expect([first.status, first.json]).toEqual([202, { accepted: 2, duplicates: 0, rejected: [] }]);
  const again = await push({ system_id, events: [...events, event(), events[0]!] });
  expect(again.json).toEqual({ accepted: 1, duplicates: 3, rejected: [] });
  const rows = await stored();
  expect(rows).toHaveLength(3);
  expect(rows.find(row => row.id === events[0]!.id)).toEqual({
    id: events[0]!.id,
    channel: 'events',
    system_id,
    kind: 'postgres.assessed',
    payload: events[0],
  });
});

it('accepts the same id for another event in another channel or system (spec 4, 6)', async () => {
  const other = await call(service.url, fixture.key, 'POST', '/api/v1/systems', {
    name: 'Other',
    environment: 'test',
    kind: 'api',
  });
  const [mine, others] = [fixture.systemId, other.json.system.id];
  const one = event();
  const sends: [string, string][] = [
    ['/functions/v1/events-ingest', mine],
    ['/functions/v1/shield-ingest', mine],
    ['/functions/v1/events-ingest', others],
  ];
  for (const [to, system_id] of sends) {
    for (const accepted of [1, 0]) {
      const { json } = await push({ system_id, events: [one] }, fixture.key, to);
      expect(json, `${to} ${system_id}`).toEqual({ accepted, duplicates: 1 - accepted, rejected: [] });
    }
  }
  expect((await stored()).filter(({ id }) => id === one.id)).toHaveLength(3);
});

/** An object with this many further levels. */
const deep = (levels: number): object => (levels === 0 ? {} : { in: deep(levels - 1) });

it.each([
  ['16 levels', event({ nested: deep(14) }), event({ nested: deep(15) })],
  ['a kind of 64 characters', event({ kind: 'a'.repeat(64) }), event({ kind: 'a'.repeat(65) })],
  ['words with dots between', event({ kind: 'a-b_1.c' }), event({ kind: 'a..b' })],
  [
    'a time with an offset',
    event({ occurred_at: '2026-11-21T08:00:00+02:00' }),
    event({ occurred_at: '2026-11-21T08:00:00' }),
  ],
])('accepts %s, and no more', async (_what, good, bad) => {
  const { json } = await push({ system_id: fixture.systemId, events: [good, bad] });
  expect([json.accepted, json.rejected?.map(({ index }: { index: number }) => index)]).toEqual([1, [1]]);
});

it('counts a leap second as the first second of the next minute', async () => {
  const leap = event({ occurred_at: '2016-12-31T23:59:60Z' });
  expect((await push({ system_id: fixture.systemId, events: [leap] })).json.accepted).toBe(1);
  const { rows } = await asOwner(service.database.connection, client =>
    client.query('select occurred_at from events where id = $1', [leap.id]),
  );
  expect(rows).toEqual([{ occurred_at: new Date('2017-01-01T00:00:00Z') }]);
});

it('stores the valid events of a batch, and reports the invalid ones with reasons (spec 6)', async () => {
  const before = (await stored()).length;
  const bad = [
    null,
    'text',
    { ...event(), id: 'not-a-uuid' },
    { ...event(), kind: 'Has Spaces' },
    { ...event(), occurred_at: 'yesterday' },
    { ...event(), occurred_at: '0000-01-01T00:00:00Z' },
    event({ text: 'a\u0000b' }),
    event({ text: '\ud800' }),
    event({ nested: deep(20) }),
    { id: randomUUID(), kind: 'k' },
  ];
  const answer = await push({ system_id: fixture.systemId, events: [event(), ...bad, event()] });
  expect(answer.status, answer.text).toBe(202);
  expect(answer.json.accepted).toBe(2);
  expect(answer.json.rejected.map((entry: { index: number }) => entry.index)).toEqual(
    bad.map((_, index) => index + 1),
  );
  expect(answer.json.rejected.every((entry: { error: string }) => entry.error.length > 5)).toBe(true);
  expect(await stored()).toHaveLength(before + 2);
});

it('refuses a batch without a valid event, an empty one, and one that is too long (spec 6)', async () => {
  const system_id = fixture.systemId;
  const none = await push({ system_id, events: [{}, null] });
  expect([none.status, none.json.fields.map((field: { path: string }) => field.path)]).toEqual([
    400,
    ['events.0', 'events.1'],
  ]);
  for (const events of [[], Array(501).fill(event())])
    expect((await push({ system_id, events })).status).toBe(400);
});

it('uses the system of a probe key, which cannot name another one (spec 2, 5, 6)', async () => {
  const probe = await service.mint(fixture.organizationId, { kind: 'probe', systemId: fixture.systemId });
  expect((await push({ events: [event()] }, probe)).json.accepted).toBe(1);
  expect((await push({ system_id: fixture.systemId, events: [event()] }, probe)).status).toBe(202);
  expect((await push({ system_id: randomUUID(), events: [event()] }, probe)).json.fields[0].path).toBe(
    'system_id',
  );
  expect((await push({ events: [event()] })).json.fields[0].path).toBe('system_id');
  for (const [method, target] of [
    ['GET', '/api/v1/findings'],
    ['GET', '/api/v1/systems'],
  ] as const) {
    expect((await call(service.url, probe, method, target)).status, 'a probe key can only ingest').toBe(403);
  }
});

it('returns no payload on any route (spec 1)', async () => {
  const payload = 'a-payload-that-no-answer-has';
  const events = [event({ detail: payload, kind: 'postgres.assessed' })];
  const answers = [await push({ system_id: fixture.systemId, events })];
  answers.push(await push({ system_id: fixture.systemId, events: [...events, { detail: payload }] }));
  expect(answers.map(({ json }) => [json.accepted, json.duplicates])).toEqual([
    [1, 0],
    [0, 1],
  ]);
  for (const { method, path: pathOf } of routes.filter(route => route.method === 'GET')) {
    answers.push(await call(service.url, fixture.key, method, pathOf(fixture)));
  }
  for (const { status, text } of answers) {
    expect(status).toBeLessThan(300);
    expect(text).not.toContain(payload);
  }
});

it('keeps the channels separate (spec 4, 6)', async () => {
  const shield = event({ kind: 'shield.blocked' });
  await push({ system_id: fixture.systemId, events: [shield] }, fixture.key, '/functions/v1/shield-ingest');
  expect((await stored()).find(row => row.id === shield.id)?.channel).toBe('shield');
});

it('stores simultaneous batches of the same events once, in any order (spec 6)', async () => {
  const events = Array.from({ length: 50 }, () => event());
  const answers = await Promise.all(
    [events, [...events].reverse(), events.slice(10), [...events].reverse().slice(5)].map(batch =>
      push({ system_id: fixture.systemId, events: batch }),
    ),
  );
  expect(answers.map(answer => answer.status)).toEqual([202, 202, 202, 202]);
  expect(answers.reduce((sum, answer) => sum + answer.json.accepted, 0)).toBe(50);
});
