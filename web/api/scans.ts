import { useInfiniteQuery } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type { ScanRetention, ScanRetentionState } from '../../src/contract/dashboard/retention.ts';
import type {
  ListScans,
  ScanChanges,
  ScanDetailPage,
  ScanPage,
  StartScan,
} from '../../src/contract/dashboard/scans.ts';
import type { ScanEnvelope } from '../../src/contract/scans.ts';
import { queryString } from '../paths.ts';
import { apiPath } from './api-path.ts';
import { request } from './client.ts';
import { useOrganizationMutation } from './organization-mutation.ts';
import { useOrganizationQuery, usePages } from './organization-query.ts';
import { type OrganizationResource, objectKey, scanRetentionKey } from './query-keys.ts';
import { useOrganization } from './session.ts';

export const useScans = (filters: ListScans) =>
  usePages<ScanPage>('scans', filters, { refetchInterval: 5000 });

/** A scan with its runs, page by page. Refreshed every second until it has finished. */
export function useScan(scanId: string) {
  const { id, api } = useOrganization();
  return useInfiniteQuery({
    queryKey: objectKey(id, 'scans', scanId),
    queryFn: ({ pageParam: cursor, signal }) =>
      request<ScanDetailPage>('GET', api(apiPath`/scans/${scanId}` + queryString({ cursor })), { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: page => page.next_cursor ?? undefined,
    select: ({ pages }) => ({ ...pages[0]!.scan, runs: pages.flatMap(({ scan }) => scan.runs) }),
    refetchInterval: ({ state }) => (state.data && !state.data.pages[0]!.scan.finished_at ? 1000 : false),
  });
}

/** What the scan changed. Asked again while it runs. */
export const useScanChanges = (scanId: string, isRunning: boolean) =>
  useOrganizationQuery<ScanChanges>(
    id => objectKey(id, 'scans', `${scanId} changes`),
    apiPath`/scans/${scanId}/changes`,
    { refetchInterval: isRunning ? 2000 : false },
  );

type Envelope = Static<typeof ScanEnvelope>;
const changed: readonly OrganizationResource[] = ['scans', 'sources', 'overview'];

/** How long scans are kept. Only for those who may change it. */
export const useScanRetention = () =>
  useOrganizationQuery<ScanRetentionState>(scanRetentionKey, '/scans/retention');

/** What a retention of so many days would delete today. */
export const useScanRetentionPreview = (days: string) =>
  useOrganizationQuery<ScanRetentionState>(
    organization => scanRetentionKey(organization, days),
    `/scans/retention${queryString({ retention_days: days })}`,
  );

export const useChangeScanRetention = () =>
  useOrganizationMutation(['scans'], (body: ScanRetention, api) =>
    request<ScanRetentionState>('PUT', api('/scans/retention'), { body }),
  );

export const useStartScan = () =>
  useOrganizationMutation(changed, (body: Static<typeof StartScan>, api) =>
    request<Envelope>('POST', api('/scans'), { body }),
  );

export const useStartFullScan = () =>
  useOrganizationMutation(changed, (source_id: string, api) =>
    request<Envelope>('POST', api('/scans/full'), { body: { source_id } }),
  );

export const useStopScan = () =>
  useOrganizationMutation([...changed, 'findings'], (id: string, api) =>
    request<ScanDetailPage>('POST', api(apiPath`/scans/${id}/stop`), { body: {} }),
  );
