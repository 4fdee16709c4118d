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
import { useOrganizationQuery } from './organization-query.ts';
import { type OrganizationResource, objectKey, resourceKey } from './query-keys.ts';

/** Every control of the Security Rule with its status. */
export const useControls = () =>
  useOrganizationQuery<ControlMatrix>(id => resourceKey(id, 'controls'), '/controls');

/** One control, with the checks, attestations and notes behind its status. */
export const useControl = (citation: string) =>
  useOrganizationQuery<ControlDetail>(
    id => objectKey(id, 'controls', citation),
    apiPath`/controls/${citation}`,
  );

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
