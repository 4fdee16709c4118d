import type { FastifyRequest } from 'fastify';
import type { FindingFilters } from '../../../contract/dashboard/finding-filters.ts';

/** The filters with the ID of the person who sent them instead of `me`. */
export function ownFilters<Filters extends FindingFilters>(
  { person }: FastifyRequest,
  filters: Filters,
): Filters {
  return filters.owner === 'me' ? { ...filters, owner: person.id } : filters;
}
