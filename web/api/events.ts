import type {
  EventCounts,
  EventFilters,
  EventPage,
  ListEvents,
} from '../../src/contract/dashboard/events.ts';
import { useCounts, usePages } from './organization-query.ts';

export const useEvents = (filters: ListEvents) => usePages<EventPage>('events', filters);

/** Event counts over time and by type. */
export const useEventCounts = (filters: EventFilters) => useCounts<EventCounts>('events', filters);
