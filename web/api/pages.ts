import { useInfiniteQuery } from '@tanstack/react-query';
import { queryString } from '../paths.ts';
import { request } from './client.ts';
import { useOrganization } from './session.ts';

/** Shows what was there before while other filters are on their way, but never another organization's. */
export function keepWithin(organizationId: string) {
  return <Data>(before: Data | undefined, query: { readonly queryKey: readonly unknown[] } | undefined) =>
    query?.queryKey[1] === organizationId ? before : undefined;
}

/** A list of the organization that comes page by page. @param path below the organization, such as `/findings` */
export function usePages<Page extends { readonly next_cursor: string | null }>(
  area: string,
  path: string,
  filters: Readonly<Record<string, string | undefined>>,
  options: { readonly refetchInterval?: number | false } = {},
) {
  const { id, api } = useOrganization();
  return useInfiniteQuery({
    queryKey: [area, id, 'list', filters],
    queryFn: ({ pageParam, signal }) =>
      request<Page>('GET', api(path + queryString({ ...filters, cursor: pageParam })), { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page: Page) => page.next_cursor ?? undefined,
    placeholderData: keepWithin(id),
    ...options,
  });
}
