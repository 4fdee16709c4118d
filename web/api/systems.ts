import type { Static } from 'typebox';
import type {
  ChangeSystem,
  ListSystems,
  SystemPage,
  SystemRowEnvelope,
} from '../../src/contract/dashboard/systems.ts';
import type { CreateSystem } from '../../src/contract/systems.ts';
import { apiPath } from './api-path.ts';
import { request } from './client.ts';
import { useOrganizationMutation } from './organization-mutation.ts';
import { usePages } from './organization-query.ts';
import type { OrganizationResource } from './query-keys.ts';

export const useSystems = (filters: ListSystems) => usePages<SystemPage>('systems', filters);

type Envelope = Static<typeof SystemRowEnvelope>;
const changed: readonly OrganizationResource[] = ['systems', 'overview'];

export const useCreateSystem = () =>
  useOrganizationMutation(changed, (body: CreateSystem, api) =>
    request<Envelope>('POST', api('/systems'), { body }),
  );

export const useChangeSystem = () =>
  useOrganizationMutation(changed, ({ id, ...body }: ChangeSystem & { readonly id: string }, api) =>
    request<Envelope>('PUT', api(apiPath`/systems/${id}`), { body }),
  );

export const useApproveSystem = () =>
  useOrganizationMutation(changed, (id: string, api) =>
    request<Envelope>('POST', api(apiPath`/systems/${id}/approve`), { body: {} }),
  );
