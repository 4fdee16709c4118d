import type { Static } from 'typebox';
import type { FindingFilters } from '../../src/contract/dashboard/finding-filters.ts';
import type { FindingGroups, FindingIds } from '../../src/contract/dashboard/finding-groups.ts';
import type {
  ChangedWork,
  CommentEnvelope,
  DuePolicy,
  DuePolicyState,
  FindingPeople,
} from '../../src/contract/dashboard/finding-work.ts';
import { queryString } from '../paths.ts';
import { apiPath } from './api-path.ts';
import { applyWork } from './apply-work.ts';
import { request } from './client.ts';
import { useOrganizationMutation } from './organization-mutation.ts';
import { keepWithin, useOrganizationQuery } from './organization-query.ts';
import { duePolicyKey, findingGroupsKey, findingPeopleKey } from './query-keys.ts';
import { useOrganization } from './session.ts';

/** The people who can own findings and be mentioned, by name. */
export const useFindingPeople = () =>
  useOrganizationQuery<Static<typeof FindingPeople>, Static<typeof FindingPeople>['people']>(
    findingPeopleKey,
    '/findings/people',
    { select: ({ people }) => people, staleTime: 60_000 },
  );

type Ids = { readonly ids: readonly string[] };

export const useAssign = () =>
  useOrganizationMutation(
    ['findings', 'overview'],
    (body: Ids & { readonly owner_id: string | null }, api) =>
      request<ChangedWork>('POST', api('/findings/assign'), { body }),
    { apply: applyWork },
  );

export const useChangeDueDates = () =>
  useOrganizationMutation(
    ['findings', 'overview'],
    (body: Ids & { readonly due_on: string | null }, api) =>
      request<ChangedWork>('POST', api('/findings/due'), { body }),
    { apply: applyWork },
  );

export const useComment = () =>
  useOrganizationMutation(['findings'], (body: Ids & { readonly body: string }, api) =>
    request('POST', api('/findings/comments'), { body }),
  );

export const useChangeComment = () =>
  useOrganizationMutation(['findings'], ({ id, body }: { readonly id: string; readonly body: string }, api) =>
    request<Static<typeof CommentEnvelope>>('PUT', api(apiPath`/finding-comments/${id}`), { body: { body } }),
  );

export const useDeleteComment = () =>
  useOrganizationMutation(['findings'], (id: string, api) =>
    request('DELETE', api(apiPath`/finding-comments/${id}`)),
  );

/** The filtered findings by check or system. */
export function useFindingGroups(filters: FindingFilters, by: 'check' | 'system') {
  const { id } = useOrganization();
  const query = { ...filters, by };
  return useOrganizationQuery<FindingGroups>(
    organizationId => findingGroupsKey(organizationId, query),
    `/findings/groups${queryString(query)}`,
    { placeholderData: keepWithin(id) },
  );
}

/** The ids of the filtered findings, as far as they can be changed together. */
export const useFindingIds = () =>
  useOrganizationMutation([], (filters: FindingFilters, api) =>
    request<FindingIds>('GET', api(`/findings/ids${queryString(filters)}`)),
  );

export const useDuePolicy = () => useOrganizationQuery<DuePolicyState>(duePolicyKey, '/findings/due-policy');

export const useChangeDuePolicy = () =>
  useOrganizationMutation(['findings', 'overview'], (body: DuePolicy, api) =>
    request<DuePolicyState>('PUT', api('/findings/due-policy'), { body }),
  );
