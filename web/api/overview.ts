import type { Overview } from '../../src/contract/dashboard/overview.ts';
import { useOrganizationQuery } from './organization-query.ts';
import { resourceKey } from './query-keys.ts';

/** Refreshed every two seconds while a scan runs, and every thirty seconds otherwise. */
export const useOverview = () =>
  useOrganizationQuery<Overview>(id => resourceKey(id, 'overview'), '/overview', {
    refetchInterval: ({ state }) => (state.data && state.data.running.length > 0 ? 2000 : 30_000),
  });
