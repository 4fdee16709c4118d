import type { Static } from 'typebox';
import type {
  AuditPackQuery,
  EvidenceEnvelope,
  EvidenceList,
  ListEvidenceQuery,
  TakeSnapshot,
} from '../../src/contract/dashboard/evidence.ts';
import { queryString } from '../paths.ts';
import { apiPath } from './api-path.ts';
import { apiUrl, request } from './client.ts';
import { useOrganizationMutation } from './organization-mutation.ts';
import { usePages } from './organization-query.ts';
import type { OrganizationResource } from './query-keys.ts';
import { useOrganization } from './session.ts';

export const useEvidence = (filters: ListEvidenceQuery) => usePages<EvidenceList>('evidence', filters);

const changed: readonly OrganizationResource[] = ['evidence', 'audit'];
type Envelope = Static<typeof EvidenceEnvelope>;

export const useTakeSnapshot = () =>
  useOrganizationMutation(changed, (body: TakeSnapshot, api) =>
    request<Envelope>('POST', api('/evidence/snapshots'), { body }),
  );

export const useUploadFile = () =>
  useOrganizationMutation(changed, (file: File, api) =>
    request<Envelope>('POST', api(`/evidence/files${queryString({ name: file.name })}`), {
      // The service detects the type itself, from the bytes.
      file: new File([file], file.name, {
        type: 'application/octet-stream',
        lastModified: file.lastModified,
      }),
    }),
  );

export const useDeleteEvidence = () =>
  useOrganizationMutation(changed, (id: string, api) => request('DELETE', api(apiPath`/evidence/${id}`)));

/** URLs of files that the browser downloads. */
export function useEvidenceUrls() {
  const { api } = useOrganization();
  return {
    content: (id: string) => apiUrl(api(apiPath`/evidence/${id}/content`)),
    auditPack: (period: AuditPackQuery) => apiUrl(api(`/audit-pack${queryString(period)}`)),
  };
}
