import type { Static } from 'typebox';
import type {
  ExportFormat,
  FindingCounts,
  FindingDetail,
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
import { applyTriage } from './apply-triage.ts';
import { apiUrl, request } from './client.ts';
import { useOrganizationMutation } from './organization-mutation.ts';
import { useCounts, useOrganizationQuery, usePages } from './organization-query.ts';
import { objectKey } from './query-keys.ts';
import { useOrganization } from './session.ts';

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
