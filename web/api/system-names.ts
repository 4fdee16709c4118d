import type { ListSystemNames, SystemNames } from '../../src/contract/dashboard/systems.ts';
import { queryString } from '../paths.ts';
import { keepWithin, useOrganizationQuery } from './organization-query.ts';
import { systemNamesKey } from './query-keys.ts';
import { useOrganization } from './session.ts';

/** The names of the first systems that match, for choices. With an id, that system is among them. */
export function useSystemNames(query: ListSystemNames = {}) {
  const { id } = useOrganization();
  return useOrganizationQuery<SystemNames, SystemNames['systems']>(
    organizationId => systemNamesKey(organizationId, query),
    `/systems/names${queryString(query)}`,
    {
      select: ({ systems }) => systems,
      placeholderData: keepWithin(id),
      staleTime: 60_000,
    },
  );
}
