import { useMutation } from '@tanstack/react-query';
import type { AuditEntryList, AuditFilters, AuditVerification } from '../../src/contract/dashboard/audit.ts';
import { queryString } from '../paths.ts';
import { apiUrl, request } from './client.ts';
import { usePages } from './organization-query.ts';
import { useOrganization } from './session.ts';

export const useAuditEntries = (filters: AuditFilters) => usePages<AuditEntryList>('audit', filters);

/** Recomputes the whole chain, so it runs only on request. */
export function useVerifyAuditChain() {
  const { api } = useOrganization();
  return useMutation({ mutationFn: () => request<AuditVerification>('GET', api('/audit/verification')) });
}

/** URLs of files that the browser downloads. */
export function useAuditExportUrl() {
  const { api } = useOrganization();
  return (format: 'csv' | 'jsonl', filters: AuditFilters) =>
    apiUrl(api(`/audit/export${queryString({ format, ...filters })}`));
}
