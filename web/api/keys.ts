import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ApiKeyPage, ListApiKeys, MintApiKey, MintedApiKey } from '../../src/contract/dashboard/keys.ts';
import { apiPath } from './api-path.ts';
import { request } from './client.ts';
import { usePages } from './pages.ts';
import { useOrganization } from './session.ts';

/** Newest first, with nothing that opens anything. */
export const useKeys = (filters: ListApiKeys) => usePages<ApiKeyPage>('keys', '/keys', filters);

function useKeyAct<Variables, Answer>(
  act: (variables: Variables, api: (path: string) => string) => Promise<Answer>,
) {
  const { id, api } = useOrganization();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (variables: Variables) => act(variables, api),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['keys', id] }),
    // An answer with secrets is nobody's but the dialog's that asked for it.
    gcTime: 0,
  });
}

export const useMintKey = () =>
  useKeyAct((body: MintApiKey, api) => request<MintedApiKey>('POST', api('/keys'), { body }));

export const useRevokeKey = () =>
  useKeyAct((id: string, api) => request('POST', api(apiPath`/keys/${id}/revoke`), { body: {} }));

export const useExpireKey = () =>
  useKeyAct(({ id, at }: { id: string; at: string }, api) =>
    request('POST', api(apiPath`/keys/${id}/expire`), { body: { at } }),
  );
