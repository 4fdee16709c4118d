import type { AuditFilters } from '../../../src/contract/dashboard/audit.ts';
import type { FilterValues } from '../../components/url-filters.ts';

/** The filters in the URL. `who` is a kind of actor, or a person's id. */
export const filterNames = ['who', 'action', 'object_kind', 'object_id', 'from', 'until'] as const;
export type FilterName = (typeof filterNames)[number];

/** Actors other than the people of the organization. */
export const otherActors = {
  key: 'Any API key',
  operator: 'The operator',
  service: 'The service',
} as const;

/** The filters as the service takes them. */
export function filtersOf({ who, ...values }: FilterValues<FilterName>): AuditFilters {
  if (!who) return values;
  if (Object.hasOwn(otherActors, who)) return { ...values, actor_kind: who as keyof typeof otherActors };
  return { ...values, actor_id: who };
}
