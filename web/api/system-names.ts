import { useQuery } from '@tanstack/react-query';
import { queryString } from '../paths.ts';
import { request } from './client.ts';
import { systemNamesKey } from './query-keys.ts';
import { useOrganization } from './session.ts';

interface SystemPage {
  readonly systems: readonly { readonly id: string; readonly name: string }[];
  readonly next_cursor: string | null;
}

/** The names of all systems by id, for choices and for objects that carry only an id. */
export function useSystemNames() {
  const { id, api } = useOrganization();
  return useQuery({
    queryKey: systemNamesKey(id),
    queryFn: async ({ signal }) => {
      const names = new Map<string, string>();
      let cursor: string | undefined;
      do {
        const path = api(`/systems${queryString({ cursor })}`);
        const page: SystemPage = await request<SystemPage>('GET', path, { signal });
        for (const { id, name } of page.systems) names.set(id, name);
        cursor = page.next_cursor ?? undefined;
      } while (cursor);
      return names;
    },
    staleTime: 60_000,
  });
}
