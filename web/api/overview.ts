import { useQuery } from '@tanstack/react-query';
import type { Overview } from '../../src/contract/dashboard/overview.ts';
import { request } from './client.ts';
import { resourceKey } from './query-keys.ts';
import { useOrganization } from './session.ts';

/** Refreshed every two seconds while a scan runs, and every thirty seconds otherwise. */
export function useOverview() {
  const { id, api } = useOrganization();
  return useQuery({
    queryKey: resourceKey(id, 'overview'),
    queryFn: ({ signal }) => request<Overview>('GET', api('/overview'), { signal }),
    refetchInterval: ({ state }) => (state.data && state.data.running.length > 0 ? 2000 : 30_000),
  });
}
