import type { AuditFilters } from '../../../src/contract/dashboard/audit.ts';

/** What of the list is in the address. `who` is a kind of actor, or a person's id. */
export const filterNames = ['who', 'action', 'object_kind', 'object_id', 'from', 'until'] as const;
export type FilterName = (typeof filterNames)[number];
export type FilterValues = Partial<Record<FilterName, string>>;

/** Those who are no people of the organization. */
export const otherActors = {
  key: 'Any API key',
  operator: 'The operator',
  service: 'The service itself',
} as const;

/** What the service is asked for. */
export function filtersOf({ who, ...values }: FilterValues): AuditFilters {
  if (!who) return values;
  if (who in otherActors) return { ...values, actor_kind: who as keyof typeof otherActors };
  return { ...values, actor_id: who };
}
