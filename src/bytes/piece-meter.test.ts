import { expect, it } from 'vitest';
import { PieceMeter } from './piece-meter.ts';

it('accepts a thousand pieces of any size, and any number of large enough pieces', () => {
  const tiny = new PieceMeter();
  expect(Array.from({ length: 1_000 }, () => tiny.take(1)).every(Boolean)).toBe(true);
  expect(Array.from({ length: 100 }, () => tiny.take(1)).some(Boolean)).toBe(true);
  expect(tiny.take(1)).toBe(false);
  const small = new PieceMeter();
  expect(Array.from({ length: 100_000 }, () => small.take(32)).every(Boolean)).toBe(true);
});
