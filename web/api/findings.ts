import { useQuery } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type {
  ExportFormat,
  FindingCounts,
  FindingDetailEnvelope,
  FindingFilters,
  FindingPage,
  ListFindings,
  TriageDecision,
  TriagedFindings,
} from '../../src/contract/dashboard/findings.ts';
import type { ScanEnvelope } from '../../src/contract/scans.ts';
import { queryString } from '../paths.ts';
import { apiPath } from './api-path.ts';
import { apiUrl, request } from './client.ts';
import { useOrganizationMutation } from './organization-mutation.ts';
import { keepWithin, usePages } from './pages.ts';
import { countsKey, objectKey } from './query-keys.ts';
import { useOrganization } from './session.ts';

export const useFindings = (filters: ListFindings) => usePages<FindingPage>('findings', '/findings', filters);

/** Counts of the filtered findings, by severity and status. */
export function useFindingCounts(filters: FindingFilters) {
  const { id, api } = useOrganization();
  return useQuery({
    queryKey: countsKey(id, 'findings', filters),
    queryFn: ({ signal }) =>
      request<FindingCounts>('GET', api(`/findings/counts${queryString(filters)}`), { signal }),
    placeholderData: keepWithin(id),
  });
}

/** Refreshed every second while a verification runs. */
export function useFinding(findingId: string) {
  const { id, api } = useOrganization();
  return useQuery({
    queryKey: objectKey(id, 'findings', findingId),
    queryFn: async ({ signal }) =>
      (
        await request<Static<typeof FindingDetailEnvelope>>('GET', api(apiPath`/findings/${findingId}`), {
          signal,
        })
      ).finding,
    refetchInterval: ({ state }) => (state.data?.verification.scan_id ? 1000 : false),
  });
}

interface Triage {
  readonly ids: readonly string[];
  readonly decision: TriageDecision;
}

export const useTriage = () =>
  useOrganizationMutation(['findings', 'overview', 'sources', 'systems'], (body: Triage, api) =>
    request<Static<typeof TriagedFindings>>('POST', api('/findings/triage'), { body }),
  );

export const useVerify = () =>
  useOrganizationMutation(['findings', 'scans'], (findingId: string, api) =>
    request<Static<typeof ScanEnvelope>>('POST', api(apiPath`/findings/${findingId}/verify`), { body: {} }),
  );

/** The URL of the filtered list as a file that the browser downloads. */
export function useExportUrl(filters: FindingFilters): (format: ExportFormat) => string {
  const { api } = useOrganization();
  return format => apiUrl(api(`/findings/export${queryString({ ...filters, format })}`));
}
