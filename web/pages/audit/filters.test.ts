import { expect, it } from 'vitest';
import { filtersOf } from './filters.ts';

it('requests a kind of actor, or for a person', () => {
  expect(filtersOf({ who: 'service', action: 'key.revoked' })).toEqual({
    actor_kind: 'service',
    action: 'key.revoked',
  });
  expect(filtersOf({ who: 'an-id', from: '2026-01-01' })).toEqual({ actor_id: 'an-id', from: '2026-01-01' });
  expect(filtersOf({ until: '2026-01-01' })).toEqual({ until: '2026-01-01' });
});

it('does not mistake a property of objects for a kind of actor', () => {
  expect(filtersOf({ who: 'constructor' })).toEqual({ actor_id: 'constructor' });
});
