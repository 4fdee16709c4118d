import { expect, it } from 'vitest';
import { dueText } from './due-text.ts';

const now = Date.parse('2026-11-30T23:30:00Z');

it.each([
  ['2026-11-29', true, '1 day overdue', 'overdue'],
  ['2026-10-31', true, '30 days overdue', 'overdue'],
  ['2026-11-30', false, 'Due today', 'soon'],
  ['2026-12-01', false, 'Due in 1 day', 'soon'],
  ['2026-12-07', false, 'Due in 7 days', 'soon'],
  ['2026-12-08', false, 'Dec 8, 2026', 'later'],
] as const)('shows %s as words, by UTC days', (due_on, overdue, text, tone) => {
  expect(dueText({ due_on, overdue }, now)).toEqual({ text, tone });
});

it('shows nothing without a due date', () => {
  expect(dueText({ due_on: null, overdue: false }, now)).toBeNull();
});
