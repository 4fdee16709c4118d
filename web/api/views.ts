import type { Static } from 'typebox';
import type {
  FindingViewEnvelope,
  FindingViewList,
  SaveFindingView,
} from '../../src/contract/dashboard/views.ts';
import { apiPath } from './api-path.ts';
import { request } from './client.ts';
import { useOrganizationMutation } from './organization-mutation.ts';
import { useOrganizationQuery } from './organization-query.ts';
import { resourceKey } from './query-keys.ts';

/** The person's own views of findings, and those that others share. */
export const useViews = () =>
  useOrganizationQuery<Static<typeof FindingViewList>>(id => resourceKey(id, 'views'), '/views');

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
