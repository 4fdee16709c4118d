import { useQuery } from '@tanstack/react-query';
import type {
  EventCounts,
  EventFilters,
  EventPage,
  ListEvents,
} from '../../src/contract/dashboard/events.ts';
import { queryString } from '../paths.ts';
import { request } from './client.ts';
import { keepWithin, usePages } from './pages.ts';
import { countsKey } from './query-keys.ts';
import { useOrganization } from './session.ts';

export const useEvents = (filters: ListEvents) => usePages<EventPage>('events', '/events', filters);

/** Event counts over time and by type. */
export function useEventCounts(filters: EventFilters) {
  const { id, api } = useOrganization();
  return useQuery({
    queryKey: countsKey(id, 'events', filters),
    queryFn: ({ signal }) =>
      request<EventCounts>('GET', api(`/events/counts${queryString(filters)}`), { signal }),
    placeholderData: keepWithin(id),
  });
}
