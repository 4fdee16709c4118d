import fc from 'fast-check';
import { expect, it } from 'vitest';
import { colorsFor, columnsOf, forTerminal, wrap } from './terminal.ts';

it('wraps without losing anything, and never beyond the width', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), fc.integer({ min: 5, max: 60 }), (text, width) => {
      const lines = wrap(text, width);
      expect(lines.every(line => line.length > 0 && line.length <= width)).toBe(true);
      expect(lines.join('').replace(/\s/g, '')).toBe(text.replace(/[\p{Cc}\s]/gu, ''));
    }),
  );
});

it('breaks long identifiers after their punctuation', () => {
  expect(wrap('headers.permissions_policy_missing', 28)).toEqual(['headers.permissions_policy_', 'missing']);
});

it('escapes terminal control characters, and keeps JSON equivalent', () => {
  const name = 'a\u001b[2J\u009b31m\u202e\u2066b\u200f\u{e0041}\u2028\u007f\r';
  const json = JSON.stringify({ name }, null, 2);
  expect(forTerminal(json)).toMatch(/^[\n -~]+$/);
  expect(JSON.parse(forTerminal(json))).toEqual({ name });
  expect(forTerminal('Größe\t道\n')).toBe('Größe\t道\n');
});

it('uses colors on a terminal only, and not if NO_COLOR is set', () => {
  expect(colorsFor({ isTTY: true }, {}).red('x')).toBe('\u001b[31mx\u001b[39m');
  expect(colorsFor({ isTTY: true }, { NO_COLOR: '1' }).red('x')).toBe('x');
  expect(colorsFor({ isTTY: true }, { TERM: 'dumb' }).red('x')).toBe('x');
  expect(colorsFor({}, { FORCE_COLOR: '1', CI: 'true' }).red('x')).toBe('x');
});

it('limits the width to 60 to 120 columns', () => {
  expect(columnsOf({ isTTY: true, columns: 80 })).toBe(80);
  expect(columnsOf({ isTTY: true, columns: 300 })).toBe(120);
  expect(columnsOf({ isTTY: true, columns: 0 })).toBe(100);
  expect(columnsOf({})).toBe(100);
});
