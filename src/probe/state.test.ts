import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { ProbeState, unseen } from './state.ts';

const folder = mkdtempSync(join(tmpdir(), 'parapet-state-'));
afterAll(() => rmSync(folder, { recursive: true }));

it.each(['null', '[]', '7', '{"targets"', ''])('begins again with a damaged file: %s', async text => {
  writeFileSync(join(folder, 'state.json'), text);
  const state = await ProbeState.open(folder);
  expect(state.instance).toMatch(/^[0-9a-f-]{36}$/);
  expect(state.of('orders')).toBe(unseen);
});

it('begins again where a file is damaged', async () => {
  const instance = '6f1c9f0e-0000-4000-8000-000000000001';
  const fine = { ...unseen, state: 'ok', checkedAt: '2026-11-26T08:00:00Z' };
  const targets = { fine, none: null, odd: { ...fine, state: 'x' }, places: { ...fine, openPlaces: [1] } };
  writeFileSync(join(folder, 'state.json'), JSON.stringify({ instance, clockOffset: 'x', targets }));
  const state = await ProbeState.open(folder);
  expect([state.instance, state.clockOffset, state.of('fine')]).toEqual([instance, null, fine]);
  for (const name of ['none', 'odd', 'places']) expect(state.of(name)).toBe(unseen);
  writeFileSync(join(folder, 'state.json'), JSON.stringify({ instance: 'x' }));
  expect((await ProbeState.open(folder)).instance).toMatch(/^[0-9a-f-]{36}$/);
});

it('remembers targets of any name', async () => {
  const state = await ProbeState.open(folder);
  expect(state.of('constructor')).toBe(unseen);
  await state.remember('constructor', { ...unseen, state: 'ok' });
  expect((await ProbeState.open(folder)).of('constructor').state).toBe('ok');
});
