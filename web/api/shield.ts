import type { Static } from 'typebox';
import type {
  ShieldDetail,
  ShieldDetailEnvelope,
  ShieldOverview,
  ShieldPeriod,
} from '../../src/contract/dashboard/shield.ts';
import { queryString } from '../paths.ts';
import { apiPath } from './api-path.ts';
import { request } from './client.ts';
import { useOrganizationMutation } from './organization-mutation.ts';
import { useOrganizationQuery } from './organization-query.ts';
import { listKey, objectKey } from './query-keys.ts';

/** Forwarders report each minute. */
const everyMinute = { refetchInterval: 60_000 };

export const useShield = (sourceId: string, days: `${ShieldPeriod}`) =>
  useOrganizationQuery<Static<typeof ShieldDetailEnvelope>, ShieldDetail>(
    id => objectKey(id, 'shield', `${sourceId} ${days}`),
    apiPath`/sources/${sourceId}/shield` + queryString({ days }),
    { select: ({ shield }) => shield, ...everyMinute },
  );

export const useShields = () =>
  useOrganizationQuery<ShieldOverview>(id => listKey(id, 'shield', {}), '/shield', everyMinute);

export const useTurnShield = () =>
  useOrganizationMutation(['shield'], ({ id, on }: { readonly id: string; readonly on: boolean }, api) =>
    request(on ? 'PUT' : 'DELETE', api(apiPath`/sources/${id}/shield`), on ? { body: {} } : {}),
  );
