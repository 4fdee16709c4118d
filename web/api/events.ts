import type {
  EventCounts,
  EventFilters,
  EventPage,
  EventRetention,
  ListEvents,
} from '../../src/contract/dashboard/events.ts';
import { request } from './client.ts';
import { useOrganizationMutation } from './organization-mutation.ts';
import { useCounts, useOrganizationQuery, usePages } from './organization-query.ts';
import { eventRetentionKey } from './query-keys.ts';

export const useEvents = (filters: ListEvents) => usePages<EventPage>('events', filters);

/** Event counts over time and by type. */
export const useEventCounts = (filters: EventFilters) => useCounts<EventCounts>('events', filters);

/** How long events are kept. Only for those who may change it. */
export const useEventRetention = () =>
  useOrganizationQuery<EventRetention>(eventRetentionKey, '/events/retention');

export const useChangeEventRetention = () =>
  useOrganizationMutation(['events'], (body: EventRetention, api) =>
    request<EventRetention>('PUT', api('/events/retention'), { body }),
  );
