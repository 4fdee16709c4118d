import { expect, it } from 'vitest';
import { scramVerifier } from './scram-verifier.ts';

it('is always the same for a password, and another for another one', () => {
  expect(scramVerifier('a')).toMatch(/^SCRAM-SHA-256\$4096:[\w+/]{22}==\$[\w+/]{43}=:[\w+/]{43}=$/);
  expect(scramVerifier('a')).toBe(scramVerifier('a'));
  const [a, b] = ['a', 'b'].map(password => scramVerifier(password).split(/[:$]/).slice(2));
  expect(a!.filter(part => b!.includes(part))).toEqual([]);
});
