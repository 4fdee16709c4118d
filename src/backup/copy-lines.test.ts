import { buffer } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { boundedLines } from './copy-lines.ts';

/** Whether lines of at most four bytes pass, however they are divided into chunks. */
async function pass(text: string): Promise<boolean> {
  const bytes = Buffer.from(text);
  const sizes = [1, 2, 3, bytes.length];
  const passed = await Promise.all(
    sizes.map(async size => {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        bytes.subarray(index * size, (index + 1) * size),
      );
      const read = buffer(boundedLines(chunks as unknown as AsyncIterable<Buffer>, 'events', 4));
      return read.then(
        read => read.equals(bytes),
        error => {
          expect(error.message).toMatch(/damaged \(events\)$/);
          return false;
        },
      );
    }),
  );
  expect(new Set(passed).size).toBe(1);
  return passed[0]!;
}

it.each([
  ['', true],
  ['abcd\nabcd\n', true],
  ['abcde\n', false],
  ['ab\nabcde', false],
  ['\n\n\n\n\n\n\n', true],
  // A newline after a backslash is part of the value.
  ['ab\\\nab\n', false],
  ['\\\n\\\n\\\n', false],
  // Unless it is the second of two.
  ['ab\\\\\nab\n', true],
  ['\\\\\n\\\\\n', true],
  ['\\\\\\\nab\n', false],
])('counts the bytes of rows: %j', async (text, passes) => {
  expect(await pass(text)).toBe(passes);
});
