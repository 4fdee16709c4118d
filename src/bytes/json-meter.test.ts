import fc from 'fast-check';
import { expect, it } from 'vitest';
import { JsonMeter } from './json-meter.ts';

function measure(value: unknown): { values: number; depth: number } {
  if (typeof value !== 'object' || value === null) return { values: 1, depth: 0 };
  const inner = Object.values(value).map(measure);
  return {
    values: 1 + inner.reduce((total, { values }) => total + values, 0),
    depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)),
  };
}

const json = fc.oneof(
  fc.jsonValue(),
  fc.array(fc.string({ unit: fc.constantFrom('"', '\\', '[', '{', ',', '\u0001') })),
);

it('accepts JSON within the bounds, and nothing that is deeper or has more values', () => {
  fc.assert(
    fc.property(json, fc.integer({ min: 1, max: 20 }), (value, size) => {
      const bytes = Buffer.from(JSON.stringify(value));
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        bytes.subarray(index * size, (index + 1) * size),
      );
      const { values, depth } = measure(value);
      const fits = (bounds: { values: number; depth: number }) => {
        const meter = new JsonMeter({ bytes: bytes.length, ...bounds });
        return pieces.every(piece => meter.take(piece));
      };
      // Empty lists and objects count twice.
      expect(fits({ values: 2 * values, depth })).toBe(true);
      expect(fits({ values: Number.POSITIVE_INFINITY, depth: depth - 1 })).toBe(depth === 0);
      expect(fits({ values: values - 1, depth })).toBe(false);
    }),
  );
});

it('counts the bytes of all pieces', () => {
  const meter = new JsonMeter({ bytes: 10, values: 10, depth: 10 });
  expect(meter.take(Buffer.from('"123456'))).toBe(true);
  expect(meter.take(Buffer.from('789"'))).toBe(false);
});
