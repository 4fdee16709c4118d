import { expect, it } from 'vitest';
import { probeState } from './probe-state.ts';

const now = Date.parse('2026-06-01T00:00:00.000+00:00');
const [before, after] = ['2026-05-31T23:59:59.000+00:00', '2026-06-01T00:00:01.000+00:00'];

it.each([
  ['reporting', { expires_at: after, revoked_at: null }, null],
  // The key is not known.
  ['reporting', { expires_at: null, revoked_at: null }, null],
  ['silent', { expires_at: after, revoked_at: null }, before],
  ['key_expired', { expires_at: before, revoked_at: null }, null],
  ['key_revoked', { expires_at: before, revoked_at: before }, null],
  ['key_revoked', { expires_at: after, revoked_at: before }, before],
])('is %s', (state, key, silent_since) => {
  expect(probeState({ key, silent_since }, now)).toBe(state);
});
