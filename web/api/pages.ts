import { useInfiniteQuery } from '@tanstack/react-query';
import { queryString } from '../paths.ts';
import { request } from './client.ts';
import { isOfOrganization, listKey, type OrganizationResource, type QueryKey } from './query-keys.ts';
import { useOrganization } from './session.ts';

/** Keeps showing the previous data while other filters load, but never another organization's. */
export function keepWithin(organizationId: string) {
  return <Data>(previous: Data | undefined, query: { readonly queryKey: QueryKey } | undefined) =>
    query && isOfOrganization(query.queryKey, organizationId) ? previous : undefined;
}

/** A paginated list of the organization. @param path below the organization, such as `/findings` */
export function usePages<Page extends { readonly next_cursor: string | null }>(
  resource: OrganizationResource,
  path: string,
  filters: Readonly<Record<string, string | undefined>>,
  options: { readonly refetchInterval?: number | false } = {},
) {
  const { id, api } = useOrganization();
  return useInfiniteQuery({
    queryKey: listKey(id, resource, filters),
    queryFn: ({ pageParam, signal }) =>
      request<Page>('GET', api(path + queryString({ ...filters, cursor: pageParam })), { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page: Page) => page.next_cursor ?? undefined,
    placeholderData: keepWithin(id),
    ...options,
  });
}
