import { expect, it } from 'vitest';
import { changesOfView, chosenStatuses, filtersOf, leadsWithChecks, listQueryOf } from './filters.ts';

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

it.each([{}, { status: 'any' }, { status: 'accepted', severity: 'high', order: 'newest' } as const])(
  'opens a view of %j with the filters that it was saved with',
  values => {
    const set = Object.entries(changesOfView(listQueryOf(values))).filter(([, value]) => value);
    expect(Object.fromEntries(set)).toEqual(values);
  },
);

it('removes the filters that a view does not have', () => {
  expect(changesOfView({ severity: 'low' })).toMatchObject({ search: null, source_id: null, order: null });
});

it('leads with the checks to fix first unless findings of another kind are chosen', () => {
  expect([{}, { order: 'newest' }, { system_id: 'x' }, { source_id: 'x' }].every(leadsWithChecks)).toBe(true);
  expect([{ severity: 'low' }, { status: 'any' }, { search: 'x' }].some(leadsWithChecks)).toBe(false);
});
