import { type UseMutationOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { invalidate, type OrganizationResource } from './query-keys.ts';
import { useOrganization } from './session.ts';

/** Builds a path below the organization, such as `/findings`. */
export type OrganizationPath = (path: string) => string;

/** A change in the organization. When it has succeeded, the named resources are loaded again. */
export function useOrganizationMutation<Variables, Answer>(
  resources: readonly OrganizationResource[],
  send: (variables: Variables, api: OrganizationPath) => Promise<Answer>,
  options: Pick<UseMutationOptions, 'gcTime'> = {},
) {
  const { id, api } = useOrganization();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (variables: Variables) => send(variables, api),
    onSuccess: () => invalidate(queries, id, resources),
    ...options,
  });
}

/** Loads resources of the organization again, where something other than a mutation of this page has changed them. */
export function useInvalidate(): (...resources: OrganizationResource[]) => void {
  const { id } = useOrganization();
  const queries = useQueryClient();
  return useCallback((...resources) => void invalidate(queries, id, resources), [queries, id]);
}
