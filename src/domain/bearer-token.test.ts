import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatToken, isWellFormedToken } from './bearer-token.ts';

it('writes 32 bytes and their checksum, always in the same length (spec 2)', () => {
  expect(formatToken('dashboard', new Uint8Array(32))).toMatch(/^svc_live_0{43}[0-9A-Za-z]{6}$/);
  expect(formatToken('probe', new Uint8Array(32).fill(255))).toMatch(/^svc_probe_[0-9A-Za-z]{49}$/);
});

it('knows its own tokens, and none with a character changed', () => {
  const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 });
  fc.assert(
    fc.property(bytes, fc.nat(48), fc.constantFrom('0', 'a', 'Z', '-', ' '), (secret, at, character) => {
      const token = formatToken('dashboard', secret);
      expect(isWellFormedToken(token)).toBe(true);
      const changed = token.slice(0, 9 + at) + character + token.slice(10 + at);
      expect(isWellFormedToken(changed)).toBe(changed === token);
    }),
  );
});

it('knows nothing else', () => {
  const token = formatToken('dashboard', new Uint8Array(32));
  for (const other of ['', 'svc_live_', token.slice(1), `${token}0`, token.replace('live', 'probe')]) {
    expect(isWellFormedToken(other)).toBe(false);
  }
});
