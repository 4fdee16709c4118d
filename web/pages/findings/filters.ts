import type { FindingFilters, ListFindings } from '../../../src/contract/dashboard/findings.ts';

/** What of the list is in the address, beside the finding that is open. */
export const filterNames = [
  'severity',
  'status',
  'category',
  'system_id',
  'source_id',
  'search',
  'reopened',
  'order',
] as const;
export type FilterName = (typeof filterNames)[number];
export type FilterValues = Partial<Record<FilterName, string>>;

/** In the address: every status, which is not what the list shows by itself. */
export const anyStatus = 'any';

/** Findings that are open, where nobody has chosen otherwise. */
export function chosenStatuses({ status }: FilterValues): string[] {
  if (status === anyStatus) return [];
  return (status ?? 'open').split(',');
}

/** What the service is asked for. */
export function filtersOf(
  { order: _, status: __, ...values }: FilterValues,
  status: string[],
): FindingFilters {
  return { ...values, ...(status.length > 0 ? { status: status.join(',') } : {}) } as FindingFilters;
}

export function listOf(values: FilterValues): ListFindings {
  const { order } = values;
  return { ...filtersOf(values, chosenStatuses(values)), ...(order ? { order } : {}) } as ListFindings;
}
