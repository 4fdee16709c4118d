import type {
  ApiKeyPage,
  ListApiKeys,
  MintApiKey,
  MintedApiKey,
  RotateApiKey,
  RotatedApiKey,
} from '../../src/contract/dashboard/keys.ts';
import { apiPath } from './api-path.ts';
import { request } from './client.ts';
import { useOrganizationMutation } from './organization-mutation.ts';
import { usePages } from './organization-query.ts';

/** Newest first, without secrets. */
export const useKeys = (filters: ListApiKeys) => usePages<ApiKeyPage>('keys', filters);

export const useCreateKey = () =>
  useOrganizationMutation(
    ['keys'],
    (body: MintApiKey, api) => request<MintedApiKey>('POST', api('/keys'), { body }),
    // The secrets must not stay in the cache after the dialog that shows them.
    { gcTime: 0 },
  );

export const useRotateApiKey = () =>
  useOrganizationMutation(
    ['keys', 'probes'],
    ({ id, ...body }: RotateApiKey & { id: string }, api) =>
      request<RotatedApiKey>('POST', api(apiPath`/keys/${id}/rotate`), { body }),
    { gcTime: 0 },
  );

export const useRevokeKey = () =>
  useOrganizationMutation(['keys', 'probes', 'sources'], (id: string, api) =>
    request('POST', api(apiPath`/keys/${id}/revoke`), { body: {} }),
  );

export const useExpireKey = () =>
  useOrganizationMutation(['keys'], ({ id, at }: { id: string; at: string }, api) =>
    request('POST', api(apiPath`/keys/${id}/expire`), { body: { at } }),
  );
