import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { seal, unseal } from './envelope.ts';
import { parseMasterKey } from './master-key.ts';

const master = parseMasterKey(randomBytes(32).toString('base64'));
const context = 'organization|source';

it('opens with its master key and context', () => {
  const envelope = seal('pässword', context, master);
  expect(unseal(envelope, context, master)).toBe('pässword');
  expect(Buffer.concat([envelope.wrappedKey, envelope.ciphertext]).includes('ssword')).toBe(false);
});

it('seals the same text differently each time', () => {
  expect(seal('a', context, master).ciphertext.equals(seal('a', context, master).ciphertext)).toBe(false);
});

it('never uses a nonce for two records', () => {
  const envelopes = [seal('a', context, master), seal('a', context, master)];
  const nonces = envelopes.flatMap(({ wrappedKey, ciphertext }) => [wrappedKey, ciphertext]);
  expect(new Set(nonces.map(sealed => sealed.toString('hex', 0, 12))).size).toBe(4);
});

it('does not open for another source, with another master key, or with a changed byte', () => {
  const envelope = seal('secret', context, master);
  expect(() => unseal(envelope, 'organization|another', master)).toThrow();
  const other = parseMasterKey(randomBytes(32).toString('base64'));
  expect(() => unseal(envelope, context, other)).toThrow(/wrapped by master key/);
  expect(() => unseal({ ...envelope, masterKeyId: other.id }, context, other)).toThrow();
  for (const part of ['wrappedKey', 'ciphertext'] as const) {
    const changed = Buffer.from(envelope[part]);
    changed[changed.length - 1]! ^= 1;
    expect(() => unseal({ ...envelope, [part]: changed }, context, master)).toThrow();
  }
});

it('requires 32 bytes of base64 as a master key, and does not repeat a refused value', () => {
  for (const value of ['', 'not base64!', Buffer.alloc(31).toString('base64'), 'c2VjcmV0']) {
    expect(() => parseMasterKey(value)).toThrow(/^PARAPET_MASTER_KEY must be 32 bytes in base64/);
  }
});
