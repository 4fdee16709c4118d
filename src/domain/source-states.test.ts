import { expect, it } from 'vitest';
import { assertAllowed, describeState, type SourceFacts } from './source-states.ts';

const website: SourceFacts = {
  status: 'connected',
  kind: 'website',
  connection_mode: 'direct',
  scan_authorized_at: '2026-01-01T00:00:00.000+00:00',
  has_credential: false,
  was_scanned: true,
  is_watched: true,
};

it.each<[string, Partial<SourceFacts>, string | undefined]>([
  ['a draft', { status: 'draft', scan_authorized_at: null }, 'accept_risk'],
  ['one that was never tested', { status: 'pending', was_scanned: false }, 'test'],
  ['one that was scanned without a test', { status: 'pending', is_watched: false }, 'watch'],
  ['one whose test failed', { status: 'failing' }, 'test'],
  ['a database without a credential', { kind: 'postgres', status: 'pending' }, 'store_credential'],
  ['a database with one', { kind: 'postgres', status: 'failing', has_credential: true }, 'test'],
  ['one that nobody has authorized', { scan_authorized_at: null }, 'authorize_scan'],
  ['one that was never scanned', { was_scanned: false, is_watched: false }, 'scan'],
  ['one that is not watched', { is_watched: false }, 'watch'],
  ['one that has all', {}, undefined],
  ['one of a probe, which connects to it', { connection_mode: 'probe', kind: 'postgres' }, undefined],
  [
    'one of a probe that is pending',
    { connection_mode: 'probe', kind: 'postgres', status: 'pending', scan_authorized_at: null },
    'authorize_scan',
  ],
  ['one that is disconnected', { status: 'disconnected', scan_authorized_at: null }, 'connect_anew'],
])('tells what is next for %s', (_, facts, action) => {
  expect(describeState({ ...website, ...facts }).next?.action).toBe(action);
});

it('never names a next step that the state does not allow', () => {
  for (const status of ['draft', 'pending', 'connected', 'failing', 'disconnected'] as const) {
    for (const has_credential of [true, false]) {
      for (const kind of ['website', 'mysql'] as const) {
        const { next } = describeState({
          ...website,
          status,
          kind,
          has_credential,
          scan_authorized_at: null,
        });
        if (next?.action === 'connect_anew') continue;
        expect(() => assertAllowed(status, next!.action as never)).not.toThrow();
      }
    }
  }
});
