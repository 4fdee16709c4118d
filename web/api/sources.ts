import type { Static } from 'typebox';
import type {
  CheckedDomainProof,
  DomainProofEnvelope,
  ListSources,
  SourceDetail,
  SourceDetailEnvelope,
  SourcePage,
  SourceTest,
  TurnWatchOn,
} from '../../src/contract/dashboard/sources.ts';
import type { CreatedSource, CreateSource, Credential } from '../../src/contract/sources.ts';
import { apiPath } from './api-path.ts';
import { request } from './client.ts';
import { useOrganizationMutation } from './organization-mutation.ts';
import { useOrganizationQuery, usePages } from './organization-query.ts';
import { type OrganizationResource, objectKey } from './query-keys.ts';

export const useSources = (filters: ListSources) => usePages<SourcePage>('sources', filters);

/** Refreshed every second while a scan runs, every two once Watch starts the next one, and every five if a probe may report. */
export const useSource = (sourceId: string) =>
  useOrganizationQuery<Static<typeof SourceDetailEnvelope>, SourceDetail>(
    id => objectKey(id, 'sources', sourceId),
    apiPath`/sources/${sourceId}`,
    {
      select: ({ source }) => source,
      refetchInterval: ({ state: { data } }) => {
        if (!data) return false;
        const { last_scan, watch, connection_mode } = data.source;
        if (last_scan?.finished_at === null) return 1000;
        if (watch) return Math.max(2000, Date.parse(watch.next_scan_at) - Date.now());
        return connection_mode === 'probe' ? 5000 : false;
      },
    },
  );

const changed: readonly OrganizationResource[] = ['sources', 'overview', 'systems'];

export const useCreateSource = () =>
  useOrganizationMutation(changed, (body: CreateSource, api) =>
    request<Static<typeof CreatedSource>>('POST', api('/sources'), { body }),
  );

interface Target {
  readonly id: string;
}

export const useAcceptRisk = () =>
  useOrganizationMutation(changed, ({ id, version }: Target & { readonly version: string }, api) =>
    request('POST', api(apiPath`/sources/${id}/risk-accept`), { body: { statement_version: version } }),
  );

export const useStoreCredential = () =>
  useOrganizationMutation(changed, ({ id, credential }: Target & { readonly credential: Credential }, api) =>
    request('POST', api(apiPath`/sources/${id}/credential`), { body: { credential } }),
  );

export const useTestConnection = () =>
  useOrganizationMutation(changed, ({ id }: Target, api) =>
    request<Static<typeof SourceTest>>('POST', api(apiPath`/sources/${id}/test`), { body: {} }),
  );

export const useAuthorizeScan = () =>
  useOrganizationMutation(changed, ({ id }: Target, api) =>
    request('POST', api(apiPath`/sources/${id}/authorize-scan`), { body: {} }),
  );

export const useDisconnect = () =>
  useOrganizationMutation(changed, ({ id }: Target, api) => request('DELETE', api(apiPath`/sources/${id}`)));

/** Turns Watch on, changes its interval, or turns it off (null). */
export const useWatch = () =>
  useOrganizationMutation(
    changed,
    ({ id, every }: Target & { readonly every: Static<typeof TurnWatchOn>['every_hours'] | null }, api) =>
      every === null
        ? request('DELETE', api(apiPath`/sources/${id}/watch`))
        : request('PUT', api(apiPath`/sources/${id}/watch`), { body: { every_hours: every } }),
  );

export const useRequestProof = () =>
  useOrganizationMutation(changed, ({ id }: Target, api) =>
    request<Static<typeof DomainProofEnvelope>>('POST', api(apiPath`/sources/${id}/domain-proof`), {
      body: {},
    }),
  );

export const useCheckProof = () =>
  useOrganizationMutation(changed, ({ id }: Target, api) =>
    request<Static<typeof CheckedDomainProof>>('POST', api(apiPath`/sources/${id}/domain-proof/check`), {
      body: {},
    }),
  );
