import fc from 'fast-check';
import { expect, it } from 'vitest';
import { shortFileName } from './short-file-name.ts';

it.each([
  ['notes.txt', 'notes.txt'],
  [`${'a'.repeat(196)}.txt`, `${'a'.repeat(196)}.txt`],
  [`${'審'.repeat(196)}.txt`, `${'審'.repeat(65)}.txt`],
  [`${'😀'.repeat(98)}.docx`, `${'😀'.repeat(48)}.docx`],
  ['審'.repeat(200), '審'.repeat(66)],
  [`${'審'.repeat(10)}.${'審'.repeat(100)}`, `${'審'.repeat(10)}.${'審'.repeat(56)}`],
  [`${'é'.repeat(97)}. ${'é'.repeat(20)}.txt`, `${'é'.repeat(97)}. .txt`],
  [`${'é'.repeat(99)} a${'é'.repeat(20)}`, `${'é'.repeat(99)} a`],
  [`${'é'.repeat(99)}a ${'é'.repeat(20)}`, `${'é'.repeat(99)}a_`],
])('is of %s its beginning and its end: %s', (name, short) => {
  expect(shortFileName(name)).toBe(short);
});

it('has at most 200 bytes, no half of a character, and begins and ends as the name does', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }),
      fc.constantFrom('', '.pdf'),
      (stem, end) => {
        const name = stem + end;
        const short = shortFileName(name);
        expect(Buffer.byteLength(short)).toBeLessThanOrEqual(200);
        expect(short.isWellFormed()).toBe(true);
        expect(short.endsWith(end)).toBe(true);
        if (Buffer.byteLength(name) <= 200) expect(short).toBe(name);
      },
    ),
  );
});
