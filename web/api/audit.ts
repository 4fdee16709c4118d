import { useMutation } from '@tanstack/react-query';
import type { AuditEntryList, AuditFilters, AuditVerification } from '../../src/contract/dashboard/audit.ts';
import { queryString } from '../paths.ts';
import { apiUrl, request } from './client.ts';
import { usePages } from './pages.ts';
import { useOrganization } from './session.ts';

export const useAuditEntries = (filters: AuditFilters) =>
  usePages<AuditEntryList>('audit', '/audit', filters);

/** Computes the chain anew: asked for, never by itself. */
export function useVerifyAuditChain() {
  const { api } = useOrganization();
  return useMutation({
    mutationFn: () => request<AuditVerification>('GET', api('/audit/verification')),
  });
}

/** Addresses that the browser downloads by itself. */
export function useAuditExportUrl() {
  const { api } = useOrganization();
  return (format: 'csv' | 'jsonl', filters: AuditFilters) =>
    apiUrl(api(`/audit/export${queryString({ format, ...filters })}`));
}
