import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { ProbeState, unseen } from './state.ts';

const target = {
  sourceId: '00000000-0000-4000-8000-000000000001',
  kind: 'postgres',
  host: 'db.internal:5432',
  database: 'orders',
} as const;
const ofSource = (sourceId: string) => ({ ...target, sourceId });
const folder = mkdtempSync(join(tmpdir(), 'parapet-state-'));
afterAll(() => rmSync(folder, { recursive: true }));

it.each(['null', '[]', '7', '{"targets"', ''])('begins again with a damaged file: %s', async text => {
  writeFileSync(join(folder, 'state.json'), text);
  const state = await ProbeState.open(folder);
  expect(state.instance).toMatch(/^[0-9a-f-]{36}$/);
  expect(state.of(target)).toBe(unseen);
});

it('begins again where a file is damaged', async () => {
  const instance = '6f1c9f0e-0000-4000-8000-000000000001';
  const identity = 'postgres db.internal:5432 orders';
  const fine = { ...unseen, identity, state: 'ok', checkedAt: '2026-11-26T08:00:00Z' };
  const targets = { fine, none: null, odd: { ...fine, state: 'x' }, places: { ...fine, openPlaces: [1] } };
  writeFileSync(join(folder, 'state.json'), JSON.stringify({ instance, clockOffset: 'x', targets }));
  const state = await ProbeState.open(folder);
  expect([state.instance, state.clockOffset, state.of(ofSource('fine'))]).toEqual([instance, null, fine]);
  for (const name of ['none', 'odd', 'places']) expect(state.of(ofSource(name))).toBe(unseen);
  writeFileSync(join(folder, 'state.json'), JSON.stringify({ instance: 'x' }));
  expect((await ProbeState.open(folder)).instance).toMatch(/^[0-9a-f-]{36}$/);
});

it('keeps its key for masks', async () => {
  const other = mkdtempSync(join(tmpdir(), 'parapet-state-'));
  const state = await ProbeState.open(other);
  expect(state.maskKey).toMatch(/^[0-9a-f]{64}$/);
  await state.rememberClock(5);
  expect((await ProbeState.open(other)).maskKey).toBe(state.maskKey);
  rmSync(other, { recursive: true });
  expect((await ProbeState.open(other)).maskKey).not.toBe(state.maskKey);
});

it('remembers sources of any id', async () => {
  const odd = ofSource('constructor');
  const state = await ProbeState.open(folder);
  expect(state.of(odd)).toBe(unseen);
  await state.remember(odd, { ...unseen, state: 'ok' });
  expect((await ProbeState.open(folder)).of(odd).state).toBe('ok');
});

it.each([
  { sourceId: '00000000-0000-4000-8000-000000000002' },
  { host: 'other.internal:5432' },
  { database: 'clinic' },
  { database: undefined },
  { kind: 'mysql' as const },
])('does not take %o for what it assessed before', async change => {
  const state = await ProbeState.open(folder);
  await state.remember(target, { ...unseen, state: 'ok', checkedAt: '2026-11-26T08:00:00Z' });
  expect(state.of(target).state).toBe('ok');
  expect(state.of({ ...target, ...change })).toBe(unseen);
});

it('forgets targets that are no longer configured', async () => {
  const state = await ProbeState.open(folder);
  for (const name of ['kept', 'removed']) await state.remember(ofSource(name), { ...unseen, state: 'ok' });
  await state.keepOnly([ofSource('kept')]);
  const states = ['kept', 'removed'].map(name => state.of(ofSource(name)).state);
  expect(states).toEqual(['ok', 'waiting']);
});
