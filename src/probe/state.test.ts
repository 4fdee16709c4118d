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

it('remembers targets of any name', async () => {
  const state = await ProbeState.open(folder);
  expect(state.of('constructor')).toBe(unseen);
  await state.remember('constructor', { ...unseen, state: 'ok' });
  expect((await ProbeState.open(folder)).of('constructor').state).toBe('ok');
});
