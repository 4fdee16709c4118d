import type { Static } from 'typebox';
import type {
  EventCounts,
  EventDetail,
  EventDetailEnvelope,
  EventFilters,
  EventPage,
  EventRetention,
  EventRow,
  ListEvents,
} from '../../src/contract/dashboard/events.ts';
import { queryString } from '../paths.ts';
import { apiPath } from './api-path.ts';
import { request } from './client.ts';
import { useOrganizationMutation } from './organization-mutation.ts';
import { useCounts, useOrganizationQuery, usePages } from './organization-query.ts';
import { eventRetentionKey, objectKey } from './query-keys.ts';

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

/** An event with its content. */
export const useEvent = ({ id, system, channel }: Pick<EventRow, 'id' | 'system' | 'channel'>) =>
  useOrganizationQuery<Static<typeof EventDetailEnvelope>, EventDetail>(
    organization => objectKey(organization, 'events', `${system.id} ${channel} ${id}`),
    apiPath`/events/${id}` + queryString({ system_id: system.id, channel }),
    { select: ({ event }) => event },
  );
