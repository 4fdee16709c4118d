import { expect, it } from 'vitest';
import { cleaned, untrustedBlock } from './untrusted.ts';

it('removes what cannot be seen from every text, and nothing else', () => {
  const tags = String.fromCodePoint(0xe0041, 0xe0042);
  const value = { a: [`x\u202e\u200b\u0000${tags}\ufe0fy`, 1, null, true], b: { c: 'Ünï – 日本\n\tz' } };
  expect(cleaned(value, 100)).toEqual({
    value: { a: ['xy', 1, null, true], b: { c: 'Ünï – 日本\n\tz' } },
    shortened: 0,
  });
});

it('cuts long texts, and counts them', () => {
  const { value, shortened } = cleaned(['a'.repeat(11), 'a'.repeat(10), '\u{1f600}'.repeat(9)], 10);
  expect(value.map(text => text.length <= 10 && text.isWellFormed())).toEqual([true, true, true]);
  expect(value[0]).toBe(`${'a'.repeat(9)}…`);
  expect(shortened).toBe(2);
});

it('marks the block with an id that no target knows', () => {
  const [one, other] = [untrustedBlock(['text']), untrustedBlock(['text'])];
  expect(one).toMatch(/^<untrusted-data id="([0-9a-f-]{36})">\ntext\n<\/untrusted-data id="\1">$/);
  expect(one).not.toBe(other);
});
