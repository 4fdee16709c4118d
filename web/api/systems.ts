import type { Static } from 'typebox';
import type {
  ChangeSystem,
  ListSystems,
  SystemPage,
  SystemRowEnvelope,
} from '../../src/contract/dashboard/systems.ts';
import type { CreateSystem } from '../../src/contract/systems.ts';
import { useAct } from './act.ts';
import { apiPath } from './api-path.ts';
import { request } from './client.ts';
import { usePages } from './pages.ts';

export const useSystems = (filters: ListSystems) => usePages<SystemPage>('systems', '/systems', filters);

type Envelope = Static<typeof SystemRowEnvelope>;
const areas = ['systems', 'overview'];

export const useCreateSystem = () =>
  useAct(areas, (body: CreateSystem, api) => request<Envelope>('POST', api('/systems'), { body }));

export const useChangeSystem = () =>
  useAct(areas, ({ id, ...body }: ChangeSystem & { readonly id: string }, api) =>
    request<Envelope>('PUT', api(apiPath`/systems/${id}`), { body }),
  );

export const useApproveSystem = () =>
  useAct(areas, (id: string, api) =>
    request<Envelope>('POST', api(apiPath`/systems/${id}/approve`), { body: {} }),
  );
