import { type UseQueryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { queryString } from '../paths.ts';
import { apiPath } from './api-path.ts';
import { request } from './client.ts';
import {
  countsKey,
  type Filters,
  isLongList,
  isOfOrganization,
  listKey,
  type OrganizationResource,
  type QueryKey,
} from './query-keys.ts';
import { useOrganization } from './session.ts';

/** Loads data of the open organization. @param path below the organization, such as `/overview` */
export function useOrganizationQuery<Answer, Data = Answer>(
  keyOf: (organizationId: string) => QueryKey,
  path: string,
  options: Omit<UseQueryOptions<Answer, Error, Data>, 'queryKey' | 'queryFn'> = {},
) {
  const { id, api } = useOrganization();
  return useQuery({
    queryKey: keyOf(id),
    queryFn: ({ signal }) => request<Answer>('GET', api(path), { signal }),
    ...options,
  });
}

/** Counts of the filtered objects. */
export function useCounts<Counts>(resource: OrganizationResource, filters: Filters) {
  const { id } = useOrganization();
  return useOrganizationQuery<Counts>(
    organizationId => countsKey(organizationId, resource, filters),
    apiPath`/${resource}/counts` + queryString(filters),
    { placeholderData: keepWithin(id) },
  );
}

/** Keeps showing the previous data while other filters load, but never another organization's. */
export function keepWithin(organizationId: string) {
  return <Data>(previous: Data | undefined, query: { readonly queryKey: QueryKey } | undefined) =>
    query && isOfOrganization(query.queryKey, organizationId) ? previous : undefined;
}

/** A paginated list. */
export function usePages<Page extends { readonly next_cursor: string | null }>(
  resource: OrganizationResource,
  filters: Filters,
  options: { readonly refetchInterval?: number } = {},
) {
  const { id, api } = useOrganization();
  return useInfiniteQuery({
    queryKey: listKey(id, resource, filters),
    queryFn: ({ pageParam: cursor, signal }) =>
      request<Page>('GET', api(apiPath`/${resource}` + queryString({ ...filters, cursor })), { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page: Page) => page.next_cursor ?? undefined,
    placeholderData: keepWithin(id),
    refetchOnMount: query => !isLongList(query),
    refetchOnWindowFocus: query => !isLongList(query),
    refetchOnReconnect: query => !isLongList(query),
    ...options,
  });
}
