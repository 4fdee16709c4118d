import { useQuery } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type { FindingFilters, ListFindings } from '../../src/contract/dashboard/finding-filters.ts';
import type {
  ExportFormat,
  FindingCounts,
  FindingDetail,
  FindingDetailEnvelope,
  FindingPage,
  TriageDecision,
  TriagedFindings,
} from '../../src/contract/dashboard/findings.ts';
import type { ScanEnvelope } from '../../src/contract/scans.ts';
import { queryString } from '../paths.ts';
import { ApiError } from './api-error.ts';
import { apiPath } from './api-path.ts';
import { applyTriage } from './apply-triage.ts';
import { apiUrl, request } from './client.ts';
import { useOrganizationMutation } from './organization-mutation.ts';
import { useCounts, useOrganizationQuery, usePages } from './organization-query.ts';
import { findingLinkKey, objectKey } from './query-keys.ts';
import { useOrganization, useSession } from './session.ts';

export const useFindings = (filters: ListFindings, options: { readonly refetchInterval?: number } = {}) =>
  usePages<FindingPage>('findings', filters, options);

/** Counts of the filtered findings, by severity and status. */
export const useFindingCounts = (filters: FindingFilters) => useCounts<FindingCounts>('findings', filters);

/** Refreshed every second while a verification runs. */
export const useFinding = (findingId: string) =>
  useOrganizationQuery<Static<typeof FindingDetailEnvelope>, FindingDetail>(
    id => objectKey(id, 'findings', findingId),
    apiPath`/findings/${findingId}`,
    {
      select: ({ finding }) => finding,
      refetchInterval: ({ state }) => (state.data?.finding.verification.scan_id ? 1000 : false),
    },
  );

/** The organization that has the finding, of those that the person is in; null if none has it. */
export function useOrganizationOfFinding(findingId: string) {
  const { organizations } = useSession();
  return useQuery({
    queryKey: findingLinkKey(findingId),
    queryFn: async ({ signal }) => {
      for (const { id } of organizations) {
        const found = await request('GET', apiPath`/organizations/${id}/findings/${findingId}`, {
          signal,
        }).then(
          () => true,
          error => {
            if (error instanceof ApiError && (error.status === 404 || error.status === 403)) return false;
            throw error;
          },
        );
        if (found) return id;
      }
      return null;
    },
  });
}

export const useTriage = () =>
  useOrganizationMutation(
    ['findings', 'overview', 'sources', 'systems'],
    (body: { readonly ids: readonly string[]; readonly decision: TriageDecision }, api) =>
      request<Static<typeof TriagedFindings>>('POST', api('/findings/triage'), { body }),
    { apply: applyTriage },
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
