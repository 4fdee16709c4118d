import { expect, it } from 'vitest';
import {
  changesOfTime,
  changesOfView,
  chosenStatuses,
  chosenTime,
  filtersOf,
  leadsWithChecks,
  listQueryOf,
  timeLabel,
} from './filters.ts';

it('lists open findings unless another status is chosen', () => {
  expect(chosenStatuses({})).toEqual(['open']);
  expect(chosenStatuses({ status: 'accepted,resolved' })).toEqual(['accepted', 'resolved']);
  expect(filtersOf({ severity: 'high' })).toEqual({ severity: 'high', status: 'open' });
});

it('sends no status for every status', () => {
  expect(chosenStatuses({ status: 'any' })).toEqual([]);
  expect(filtersOf({ status: 'any', search: 'x' })).toEqual({ search: 'x' });
});

it('sends the order with the list, but not with counts and exports', () => {
  expect(filtersOf({ order: 'newest' })).toEqual({ status: 'open' });
  expect(listQueryOf({ order: 'newest' })).toEqual({ status: 'open', order: 'newest' });
});

it.each([
  {},
  { status: 'any' },
  { status: 'accepted', severity: 'high', order: 'newest' } as const,
  { owner: 'me', due: 'overdue', new_since: '7d', order: 'due' } as const,
])('opens a view of %j with the filters that it was saved with', values => {
  const set = Object.entries(changesOfView(listQueryOf(values))).filter(([, value]) => value);
  expect(Object.fromEntries(set)).toEqual(values);
});

it('removes the filters that a view does not have', () => {
  expect(changesOfView({ severity: 'low' })).toMatchObject({ search: null, source_id: null, order: null });
});

it('leads with the checks to fix first unless findings of another kind are chosen', () => {
  expect([{}, { order: 'newest' }, { system_id: 'x' }, { source_id: 'x' }].every(leadsWithChecks)).toBe(true);
  expect([{ severity: 'low' }, { status: 'any' }, { search: 'x' }].some(leadsWithChecks)).toBe(false);
});

it('chooses one time at a time', () => {
  const changes = changesOfTime('changed_since:7d');
  expect(changes).toEqual({ new_since: null, reopened_since: null, changed_since: '7d' });
  expect(chosenTime({ changed_since: '7d' })).toBe('changed_since:7d');
  expect(changesOfTime(null)).toEqual({ new_since: null, reopened_since: null, changed_since: null });
  expect(timeLabel('changed_since:7d')).toBe('Changed in 7 days');
  expect(timeLabel('new_since:1d')).toBe('New in 24 hours');
  expect(timeLabel('new_since:2026-11-21T10:00:00Z')).toBe('New since 2026-11-21');
});
