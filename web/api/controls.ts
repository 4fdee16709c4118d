import { useQuery } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type {
  AttestationEnvelope,
  AttestControl,
  ControlDetail,
  ControlMatrix,
  ControlNoteEnvelope,
} from '../../src/contract/dashboard/controls.ts';
import { useAct } from './act.ts';
import { apiPath } from './api-path.ts';
import { request } from './client.ts';
import { useOrganization } from './session.ts';

/** Every control of the Security Rule as it stands. */
export function useControls() {
  const { id, api } = useOrganization();
  return useQuery({
    queryKey: ['controls', id],
    queryFn: ({ signal }) => request<ControlMatrix>('GET', api('/controls'), { signal }),
  });
}

/** What is behind one of them. */
export function useControl(citation: string) {
  const { id, api } = useOrganization();
  return useQuery({
    queryKey: ['controls', id, citation],
    queryFn: ({ signal }) => request<ControlDetail>('GET', api(apiPath`/controls/${citation}`), { signal }),
  });
}

const areas = ['controls', 'audit'];

/** Null takes the note away. */
export const useWriteNote = (citation: string) =>
  useAct(areas, (note: string | null, api) =>
    request<Static<typeof ControlNoteEnvelope>>('POST', api(apiPath`/controls/${citation}/note`), {
      body: { note },
    }),
  );

type Envelope = Static<typeof AttestationEnvelope>;

export const useAttest = (citation: string) =>
  useAct(areas, (body: AttestControl, api) =>
    request<Envelope>('POST', api(apiPath`/controls/${citation}/attestations`), { body }),
  );

export const useLinkEvidence = (citation: string) =>
  useAct(areas, ({ id, evidence_ids }: { id: string; evidence_ids: string[] }, api) =>
    request<Envelope>('POST', api(apiPath`/controls/${citation}/attestations/${id}/evidence`), {
      body: { evidence_ids },
    }),
  );

export const useWithdrawAttestation = (citation: string) =>
  useAct(areas, ({ id, reason }: { id: string; reason: string }, api) =>
    request<Envelope>('POST', api(apiPath`/controls/${citation}/attestations/${id}/withdraw`), {
      body: { reason },
    }),
  );
