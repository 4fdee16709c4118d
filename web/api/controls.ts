import { useQuery } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type {
  AttestationEnvelope,
  AttestControl,
  ControlDetail,
  ControlMatrix,
  ControlNoteEnvelope,
} from '../../src/contract/dashboard/controls.ts';
import { apiPath } from './api-path.ts';
import { request } from './client.ts';
import { useOrganizationMutation } from './organization-mutation.ts';
import { type OrganizationResource, objectKey, resourceKey } from './query-keys.ts';
import { useOrganization } from './session.ts';

/** Every control of the Security Rule with its status. */
export function useControls() {
  const { id, api } = useOrganization();
  return useQuery({
    queryKey: resourceKey(id, 'controls'),
    queryFn: ({ signal }) => request<ControlMatrix>('GET', api('/controls'), { signal }),
  });
}

/** One control, with the checks, attestations and notes behind its status. */
export function useControl(citation: string) {
  const { id, api } = useOrganization();
  return useQuery({
    queryKey: objectKey(id, 'controls', citation),
    queryFn: ({ signal }) => request<ControlDetail>('GET', api(apiPath`/controls/${citation}`), { signal }),
  });
}

const changed: readonly OrganizationResource[] = ['controls', 'audit'];

/** Null deletes the note. */
export const useWriteNote = (citation: string) =>
  useOrganizationMutation(changed, (note: string | null, api) =>
    request<Static<typeof ControlNoteEnvelope>>('POST', api(apiPath`/controls/${citation}/note`), {
      body: { note },
    }),
  );

type Envelope = Static<typeof AttestationEnvelope>;

export const useAttest = (citation: string) =>
  useOrganizationMutation(changed, (body: AttestControl, api) =>
    request<Envelope>('POST', api(apiPath`/controls/${citation}/attestations`), { body }),
  );

export const useLinkEvidence = (citation: string) =>
  useOrganizationMutation(changed, ({ id, evidence_ids }: { id: string; evidence_ids: string[] }, api) =>
    request<Envelope>('POST', api(apiPath`/controls/${citation}/attestations/${id}/evidence`), {
      body: { evidence_ids },
    }),
  );

export const useWithdrawAttestation = (citation: string) =>
  useOrganizationMutation(changed, ({ id, reason }: { id: string; reason: string }, api) =>
    request<Envelope>('POST', api(apiPath`/controls/${citation}/attestations/${id}/withdraw`), {
      body: { reason },
    }),
  );
