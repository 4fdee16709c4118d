import type { FindingFilters, ListFindings } from '../../../src/contract/dashboard/finding-filters.ts';
import type { FilterChanges as Changes, FilterValues as Values } from '../../components/url-filters.ts';

/** The filters of the list in the URL, besides the open finding. */
export const filterNames = [
  'severity',
  'status',
  'category',
  'system_id',
  'source_id',
  'search',
  'reopened',
  'owner',
  'due',
  'new_since',
  'reopened_since',
  'changed_since',
  'order',
] as const;
type FilterName = (typeof filterNames)[number];
export type FilterValues = Values<FilterName>;
export type FilterChanges = Changes<FilterName>;

/** Stands for every status in the URL, since a URL without a status lists open findings. */
export const anyStatus = 'any';

/** Open findings by default; empty for every status. */
export function chosenStatuses({ status }: FilterValues): string[] {
  if (status === anyStatus) return [];
  return (status ?? 'open').split(',');
}

/** The filters as the service takes them. */
export function filtersOf({ order: _, ...values }: FilterValues): FindingFilters {
  const { status: __, ...others } = values;
  const statuses = chosenStatuses(values);
  return { ...others, ...(statuses.length > 0 ? { status: statuses.join(',') } : {}) } as FindingFilters;
}

/** The filters and the order, as the service takes them and as views store them. */
export function listQueryOf(values: FilterValues): ListFindings {
  const { order } = values;
  return { ...filtersOf(values), ...(order ? { order } : {}) } as ListFindings;
}

/** The URL of a saved view: the opposite of `listQueryOf`. */
export function changesOfView({ status, ...view }: ListFindings): FilterChanges {
  const none = Object.fromEntries(filterNames.map(name => [name, null]));
  return { ...none, ...view, status: status === 'open' ? null : (status ?? anyStatus) };
}

/** Whether the list leads with the checks to fix first: those of all open findings, or of a system or source. */
export function leadsWithChecks({
  system_id: _,
  source_id: __,
  order: ___,
  ...others
}: FilterValues): boolean {
  return Object.keys(others).length === 0;
}

/** Filters by time. At most one is chosen. */
const timeFilters = {
  new_since: 'New',
  reopened_since: 'Reopened',
  changed_since: 'Changed',
} as const;
type TimeFilter = keyof typeof timeFilters;

const timeNames = Object.keys(timeFilters) as TimeFilter[];

/** `new_since:7d`; undefined if no time is chosen. */
export function chosenTime(values: FilterValues): string | undefined {
  const name = timeNames.find(each => values[each] !== undefined);
  return name && `${name}:${values[name]}`;
}

/** The changes that choose a time, or none. @param chosen see `chosenTime` */
export function changesOfTime(chosen: string | null): FilterChanges {
  const [, name, since] = /^([a-z_]+):(.+)$/.exec(chosen ?? '') ?? [];
  return Object.fromEntries(timeNames.map(each => [each, each === name ? since : null]));
}

/** `New in 7 days`, `Changed since 2026-11-21`. @param chosen see `chosenTime` */
export function timeLabel(chosen: string): string {
  const [, name, since = ''] = /^([a-z_]+):(.+)$/.exec(chosen) ?? [];
  const label = timeFilters[name as TimeFilter] ?? name;
  const [, days] = /^(\d+)d$/.exec(since) ?? [];
  if (days === undefined) return `${label} since ${since.slice(0, 10)}`;
  return days === '1' ? `${label} in 24 hours` : `${label} in ${days} days`;
}
