import { expect, it } from 'vitest';
import { bootstrap, captureWith, listed, role } from '../detectors/postgres/hardened-capture.ts';
import { factsOf } from '../scan/facts.ts';
import { driftEvents, type KnownFacts, knownFacts } from './drift.ts';

const source = '00000000-0000-4000-8000-000000000001';
const since = '2026-11-26T08:00:00.000Z';
/** The memory of a target whose areas were all assessed at this time. */
const assessed = (facts: KnownFacts, at = since) => ({
  facts,
  factsAt: Object.fromEntries(Object.keys(facts).map(area => [area, at])),
});
const factsIn = (capture: unknown, before?: KnownFacts) => knownFacts(before, factsOf('postgres', capture));
const changesOf = (before: KnownFacts, now: KnownFacts) =>
  driftEvents(source, assessed(before), now).flatMap(event =>
    event.kind === 'probe.drift' ? event.changes : [],
  );

it('names settings and roles that changed, without their values', () => {
  const before = factsIn(captureWith());
  const now = factsIn(
    captureWith({ changed: { fsync: 'off' }, roles: listed(role('intruder', { superuser: true })) }),
  );
  const changes = changesOf(before, now);
  expect(changes).toContainEqual({ area: 'setting', name: 'fsync', change: 'changed' });
  expect(changes).toContainEqual({ area: 'role', name: 'intruder', change: 'added' });
  expect(changes.some(({ area, change }) => area === 'role' && change === 'removed')).toBe(true);
  expect(JSON.stringify([before, now])).not.toMatch(/"(off|on)"/);
  expect(changesOf(before, before)).toEqual([]);
});

it('reports nothing after the first assessment, nor about an area that was not assessed before', () => {
  const before = factsIn(captureWith());
  expect(driftEvents(source, {}, before)).toEqual([]);
  const { role: _, ...partly } = before;
  expect(changesOf(partly, before)).toEqual([]);
});

it('reports that an area is no longer assessed, and compares it with its last assessment once it is', () => {
  const first = factsIn(captureWith());
  const state = (change: string) => ({ area: 'role', name: '(not assessed)', change });
  for (const roles of [
    { assessed: false, reason: 'no privilege' } as const,
    { assessed: true, value: { rows: [], truncated: true } } as const,
  ]) {
    const unread = captureWith({ roles });
    const second = factsIn(unread, first);
    expect(changesOf(first, second)).toEqual([state('added')]);
    expect(changesOf(second, factsIn(unread, second))).toEqual([]);
    const now = factsIn(captureWith({ roles: listed(role('intruder')) }), second);
    const changes = changesOf(second, now);
    expect(changes).toContainEqual(state('removed'));
    expect(changes).toContainEqual({ area: 'role', name: 'intruder', change: 'added' });
    expect(changes).toContainEqual({ area: 'role', name: 'app', change: 'removed' });
  }
});

it('does not take a name for the state of an area', () => {
  const [few, more] = [[], [role('intruder')]].map(added =>
    factsIn(captureWith({ roles: listed(role('(not assessed)'), role('all, more than 3,000'), ...added) })),
  );
  expect(changesOf(few!, more!)).toEqual([{ area: 'role', name: 'intruder', change: 'added' }]);
});

it.each(['(listed before) x', 'all tables', 'x listed before'])('notices the role %s', name => {
  const before = factsIn(captureWith());
  const now = factsIn(
    captureWith({ roles: listed(bootstrap, role('app'), role('anon'), role(name)) }),
    before,
  );
  expect(changesOf(before, now)).toContainEqual({ area: 'role', name, change: 'added' });
});

it('lists no objects as removed that one fact is about from now on', () => {
  const grantsOf = (...names: string[]) =>
    factsIn(captureWith({ grants: listed(...names.map(name => ({ name, hash: '1' }))) }));
  const others = ['function apps.f()', 'table app.t', 'schema app'];
  const one = grantsOf('function app.f()', 'function app.g()', ...others);
  const group = 'all functions of schema app';
  expect(changesOf(one, grantsOf(group, ...others))).toEqual([
    { area: 'grant', name: group, change: 'added' },
  ]);
  expect(changesOf(grantsOf(group, ...others), one)).toEqual([
    { area: 'grant', name: group, change: 'removed' },
  ]);
  expect(changesOf(one, grantsOf(group, 'table app.t', 'schema app'))).toEqual([
    { area: 'grant', name: 'function apps.f()', change: 'removed' },
    { area: 'grant', name: group, change: 'added' },
  ]);
  expect(changesOf(grantsOf(group, 'table app.t'), grantsOf('all schemas', group))).toEqual([
    { area: 'grant', name: 'table app.t', change: 'removed' },
    { area: 'grant', name: 'all schemas', change: 'added' },
  ]);
});

it.each([
  ['grant', 'all tables of schema app', 'table app.'],
  ['grant', 'all other objects', 'table app.'],
  ['policy', 'all policies of schema app', 'policy on app.t: '],
  ['policy', 'all tables with row security of schema app', 'row security of app.'],
  ['policy', 'all other policies and tables', 'policy on app.t: '],
] as const)('notices what changed among the %s facts behind %s', (area, group, members) => {
  const factsWith = (before: KnownFacts | undefined, hashes: Readonly<Record<string, string>>) =>
    knownFacts(before, [[area, Object.entries(hashes)]]);
  const change = (name: string, how: string) => ({ area, name, change: how });
  const first = factsWith(undefined, {
    [`${members}secrets`]: '1',
    [`${members}gone`]: '1',
    'schema app': '1',
  });
  const second = factsWith(first, { [group]: '1', 'schema app': '1' });
  expect(changesOf(first, second)).toEqual([change(group, 'added')]);
  const third = factsWith(second, { [group]: '2', 'schema app': '1' });
  expect(changesOf(second, third)).toEqual([change(group, 'changed')]);
  const last = factsWith(third, { [`${members}secrets`]: '2', [`${members}more`]: '1', 'schema app': '1' });
  expect(changesOf(third, last)).toHaveLength(4);
  expect(changesOf(third, last)).toEqual(
    expect.arrayContaining([
      change(`${members}secrets`, 'changed'),
      change(`${members}gone`, 'removed'),
      change(`${members}more`, 'added'),
      change(group, 'removed'),
    ]),
  );
  expect(Object.keys(last[area]!)).toHaveLength(3);
});

it('remembers the smallest groups of what one fact is about, up to a number', () => {
  const tables = (schema: string, count: number) =>
    Array.from({ length: count }, (_, index) => [`table ${schema}.t${index}`, '1'] as const);
  const before = { grant: Object.fromEntries([...tables('crowd', 2_999), ...tables('app', 2)]) };
  const groups = ['all tables of schema crowd', 'all tables of schema app'];
  const now = factsIn(captureWith({ grants: listed(...groups.map(name => ({ name, hash: '1' }))) }), before);
  const known = Object.keys(now.grant!);
  expect(known.filter(name => name.startsWith('table '))).toEqual(['table app.t0', 'table app.t1']);
  expect(known).toHaveLength(4);
});

it('compares a setting that was not assessed with its last known value', () => {
  const [known, hidden, changed] = ['a', '', 'b'].map(hash => [['setting', [['fsync', hash]]]] as const);
  const first = knownFacts(undefined, known!);
  const second = knownFacts(first, hidden!);
  expect(changesOf(first, second)).toEqual([]);
  expect(changesOf(second, knownFacts(second, changed!))).toEqual([
    { area: 'setting', name: 'fsync', change: 'changed' },
  ]);
  const never = knownFacts(undefined, hidden!);
  expect(changesOf(never, knownFacts(never, known!))).toEqual([]);
});

it('gives the same changes since the same assessment the same id, and others another', () => {
  const before = factsIn(captureWith());
  const [off, on] = ['off', 'on'].map(fsync =>
    factsIn(captureWith({ changed: { fsync, full_page_writes: 'x' } })),
  );
  const idOf = (now: KnownFacts, at = since) => driftEvents(source, assessed(before, at), now)[0]?.id;
  expect(idOf(off!)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(idOf(off!)).toBe(idOf(off!));
  expect(idOf(off!)).not.toBe(idOf(on!));
  expect(idOf(off!)).not.toBe(idOf(off!, '2026-11-26T09:00:00.000Z'));
});

it('states since when, by the last assessment of each area', () => {
  const before = factsIn(captureWith());
  const now = factsIn(
    captureWith({ changed: { fsync: 'off' }, roles: listed(role('intruder', { superuser: true })) }),
  );
  const { factsAt } = assessed(before);
  const later = '2026-11-26T10:00:00.000Z';
  const events = driftEvents(source, { facts: before, factsAt: { ...factsAt, role: later } }, now);
  const said = events.map(event =>
    event.kind === 'probe.drift' ? [event.since, event.changes[0]!.area] : [],
  );
  expect(said).toEqual([
    [since, 'setting'],
    [later, 'role'],
  ]);
});

it('hides no change behind many with long names, and sends events that fit', () => {
  const before = factsIn(captureWith());
  const names = Array.from({ length: 2_900 }, (_, index) => `${'\u0001'.repeat(500)}${index}`);
  const grants = listed(...[...names, 'table zz.secrets'].map(name => ({ name, hash: '1' })));
  const now = factsIn(captureWith({ grants, roles: listed(role('intruder', { superuser: true })) }));
  const events = driftEvents(source, assessed(before), now);
  expect(events.flatMap(event => (event.kind === 'probe.drift' ? event.changes : []))).toContainEqual({
    area: 'role',
    name: 'intruder',
    change: 'added',
  });
  const ofGrants = events.flatMap(event =>
    event.kind === 'probe.drift' && event.changes[0]!.area === 'grant' ? [event] : [],
  );
  const changed = ofGrants.flatMap(({ changes }) => changes);
  expect(changed).toContainEqual({ area: 'grant', name: 'table zz.secrets', change: 'added' });
  // Also that the one of before is gone.
  expect(changed.length + ofGrants.reduce((sum, { more }) => sum + more, 0)).toBe(2_902);
  expect(ofGrants).toHaveLength(20);
  for (const event of events) expect(Buffer.byteLength(JSON.stringify(event))).toBeLessThan(70_000);
});

it('compares an area with very many names as a whole, without affecting others', () => {
  const many = (hash: string) =>
    listed(...Array.from({ length: 3_001 }, (_, index) => ({ name: `t${index}`, hash })));
  const [few, before, now] = [listed({ name: 't', hash: '1' }), many('1'), many('2')].map(grants =>
    factsIn(captureWith({ grants })),
  );
  const changed = [{ area: 'grant', name: 'all, more than 3,000', change: 'changed' }];
  expect(changesOf(before!, now!)).toEqual(changed);
  expect(changesOf(few!, before!)).toEqual(changed);
  expect(changesOf(before!, before!)).toEqual([]);
  expect(now!.access_rule).toEqual(few!.access_rule);
});

it('lists all changes, 500 in each event, whatever names are called', () => {
  const names = ['__proto__', 'constructor', ...Array.from({ length: 600 }, (_, index) => `s${index}`)];
  const now = knownFacts(undefined, [['setting', names.map(name => [name, 'a'] as const)]]);
  const [event, second, third] = driftEvents(source, assessed({ setting: {} }), now);
  expect([event, second].map(each => each?.kind === 'probe.drift' && each.changes.length)).toEqual([
    500, 102,
  ]);
  expect(third).toBeUndefined();
  expect(event).toMatchObject({ kind: 'probe.drift', source_id: source, since, more: 0 });
  expect(changesOf({ setting: {} }, now)).toHaveLength(602);
  expect(changesOf({ setting: {} }, now)[0]).toEqual({ area: 'setting', name: '__proto__', change: 'added' });
  expect(changesOf(now, now)).toEqual([]);
  const stored = JSON.parse(JSON.stringify(now)) as KnownFacts;
  expect(changesOf(stored, now)).toEqual([]);
});
