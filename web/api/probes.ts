import { useInfiniteQuery } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type { MintedApiKey } from '../../src/contract/dashboard/keys.ts';
import type {
  AddedProbe,
  AddProbe,
  InventoryKey,
  InventoryList,
  ListInventory,
  ListProbes,
  ProbeDetail,
  ProbeDetailEnvelope,
  ProbePage,
  RiskStatements,
  SourceChangePage,
} from '../../src/contract/dashboard/probes.ts';
import type { CreatedSource } from '../../src/contract/sources.ts';
import { queryString } from '../paths.ts';
import { apiPath } from './api-path.ts';
import { request } from './client.ts';
import { useOrganizationMutation } from './organization-mutation.ts';
import { useOrganizationQuery, usePages } from './organization-query.ts';
import { listKey, objectKey } from './query-keys.ts';
import { useOrganization } from './session.ts';

/** Newest first. @param every milliseconds between refreshes */
export const useProbes = (filters: ListProbes, every = 5000) =>
  usePages<ProbePage>('probes', filters, { refetchInterval: every });

export const useProbe = (probeId: string, every = 5000) =>
  useOrganizationQuery<Static<typeof ProbeDetailEnvelope>, ProbeDetail>(
    id => objectKey(id, 'probes', probeId),
    apiPath`/probes/${probeId}`,
    { select: ({ probe }) => probe, refetchInterval: every },
  );

export const useRiskStatements = () =>
  useOrganizationQuery<RiskStatements>(id => listKey(id, 'risk-statements', {}), '/risk-statements');

export const useAddProbe = () =>
  useOrganizationMutation(
    ['probes', 'sources', 'systems', 'overview', 'keys', 'inventory'],
    ({ systemId, ...body }: AddProbe & { readonly systemId: string }, api) =>
      request<AddedProbe>('POST', api(apiPath`/systems/${systemId}/probes`), { body }),
    // The secrets must not stay in the cache after the page that shows them.
    { gcTime: 0 },
  );

export const useRotateKey = () =>
  useOrganizationMutation(
    ['keys'],
    (probeId: string, api) =>
      request<MintedApiKey>('POST', api(apiPath`/probes/${probeId}/rotate-key`), { body: {} }),
    { gcTime: 0 },
  );

export const useRemoveProbe = () =>
  useOrganizationMutation(['probes', 'sources', 'inventory'], (probeId: string, api) =>
    request('POST', api(apiPath`/probes/${probeId}/remove`), { body: {} }),
  );

/** What changed in a source, newest first. */
export function useSourceChanges(sourceId: string) {
  const { id, api } = useOrganization();
  return useInfiniteQuery({
    queryKey: objectKey(id, 'sources', `${sourceId}/changes`),
    queryFn: ({ pageParam: cursor, signal }) =>
      request<SourceChangePage>('GET', api(apiPath`/sources/${sourceId}/changes` + queryString({ cursor })), {
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: page => page.next_cursor ?? undefined,
  });
}

/** What probes saw and that is no source. */
export const useInventory = (filters: ListInventory) =>
  useOrganizationQuery<InventoryList>(
    id => listKey(id, 'inventory', filters),
    `/inventory${queryString(filters)}`,
  );

export const useAdopt = () =>
  useOrganizationMutation(['inventory', 'sources', 'systems', 'overview'], (item: InventoryKey, api) =>
    request<Static<typeof CreatedSource>>('POST', api('/inventory/adopt'), { body: item }),
  );

export const useDismiss = () =>
  useOrganizationMutation(['inventory'], (item: InventoryKey, api) =>
    request('POST', api('/inventory/dismiss'), { body: item }),
  );
