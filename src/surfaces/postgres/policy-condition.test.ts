import { expect, it } from 'vitest';
import { conditionOf } from './policy-condition.ts';

it.each([
  ['true'],
  ['(true)'],
  ['((true))'],
  ['(1 = 1)'],
  ["('a'::text = 'a'::text)"],
  ['(true OR (owner = CURRENT_USER))'],
  ['((owner = CURRENT_USER) OR (1 = 1))'],
  ['(true AND (2 = 2))'],
  ['(NOT false)'],
  ["('t'::boolean)"],
  [`((owner = '${'x'.repeat(3_900)}') OR true)`],
])('classifies %s as always true', expression => {
  expect(conditionOf(expression)).toBe('always_true');
});

it.each([
  ['false'],
  ['(1 = 2)'],
  ['(true AND (owner = CURRENT_USER))'],
  ["(note = 'true OR true'::text)"],
  ['(owner = owner_of(id))'],
  ['(is_true = true)'],
  ["(kind = 'a OR true')"],
  ['(EXISTS ( SELECT 1 FROM members WHERE true))'],
  ['((a = 1) OR (b = 1))'],
  ["(note = ' OR (1 = 1')"],
  ['('],
  [')'],
])('does not classify %s as always true', expression => {
  expect(conditionOf(expression)).toBe('other');
});

it.each([
  ['longer', `(owner = '${'x'.repeat(4_000)}')`],
  ['deeper', `${'('.repeat(51)}true${')'.repeat(51)}`],
])('does not classify a condition that is %s than the limit', (_, expression) => {
  expect(conditionOf(expression)).toBe('unread');
});

it('recognizes metadata that users can edit', () => {
  expect(conditionOf("((auth.jwt() -> 'user_metadata'::text) ->> 'role'::text) = 'admin'::text")).toBe(
    'user_metadata',
  );
  expect(conditionOf("((raw_user_meta_data ->> 'role'::text) = 'admin'::text)")).toBe('user_metadata');
  expect(conditionOf("((auth.jwt() -> 'app_metadata'::text) ->> 'role'::text) = 'admin'::text")).toBe(
    'other',
  );
  expect(conditionOf(null)).toBe('none');
  expect(conditionOf('')).toBe('skipped');
});

it('is fast with unusual conditions', () => {
  for (const part of ['(', ')', ' OR ', ' AND ', '((', "'", '" = ', '(1 = 1) OR ', '(true AND ']) {
    const started = performance.now();
    conditionOf(part.repeat(4000).slice(0, 4000));
    expect(performance.now() - started).toBeLessThan(500);
  }
});
