import { useQuery } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type {
  FindingViewEnvelope,
  FindingViewList,
  SaveFindingView,
} from '../../src/contract/dashboard/views.ts';
import { apiPath } from './api-path.ts';
import { request } from './client.ts';
import { useOrganizationMutation } from './organization-mutation.ts';
import { resourceKey } from './query-keys.ts';
import { useOrganization } from './session.ts';

/** The person's own views of findings, and those that others share. */
export function useViews() {
  const { id, api } = useOrganization();
  return useQuery({
    queryKey: resourceKey(id, 'views'),
    queryFn: async ({ signal }) =>
      (await request<Static<typeof FindingViewList>>('GET', api('/views'), { signal })).views,
  });
}

type Envelope = Static<typeof FindingViewEnvelope>;

export const useSaveView = () =>
  useOrganizationMutation(['views'], (body: SaveFindingView, api) =>
    request<Envelope>('POST', api('/views'), { body }),
  );

export const useChangeView = () =>
  useOrganizationMutation(['views'], ({ id, ...body }: SaveFindingView & { readonly id: string }, api) =>
    request<Envelope>('PUT', api(apiPath`/views/${id}`), { body }),
  );

export const useDeleteView = () =>
  useOrganizationMutation(['views'], (id: string, api) => request('DELETE', api(apiPath`/views/${id}`)));
