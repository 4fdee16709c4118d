import fc from 'fast-check';
import { expect, it } from 'vitest';
import { GrowingBuffer } from './growing-buffer.ts';

it('returns the appended bytes in order, however they are taken', () => {
  const step = fc.oneof(
    fc.uint8Array({ maxLength: 50 }).map(bytes => ({ append: Buffer.from(bytes) })),
    fc.nat({ max: 80 }).map(take => ({ take })),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), steps => {
      const buffer = new GrowingBuffer();
      let expected = Buffer.alloc(0);
      for (const step of steps) {
        if ('append' in step) {
          buffer.append(step.append);
          expected = Buffer.concat([expected, step.append]);
          // The caller may reuse a buffer after appending it.
          step.append.fill(0);
        } else {
          const count = Math.min(step.take, expected.length);
          const taken = buffer.take(count);
          expect(taken.equals(expected.subarray(0, count))).toBe(true);
          expected = Buffer.from(expected.subarray(count));
        }
        expect(buffer.bytes.equals(expected)).toBe(true);
      }
    }),
  );
});

it('does not change bytes that were taken', () => {
  const buffer = new GrowingBuffer();
  buffer.append(Buffer.from('abc'));
  const taken = buffer.take(1);
  buffer.append(Buffer.from('defghijkl'));
  expect(taken.toString()).toBe('a');
  expect(buffer.bytes.toString()).toBe('bcdefghijkl');
});
