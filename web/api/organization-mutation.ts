import {
  type QueryClient,
  type UseMutationOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { useCallback } from 'react';
import { invalidate, type OrganizationResource } from './query-keys.ts';
import { useOrganization } from './session.ts';

/** Builds a path below the organization, such as `/findings`. */
export type OrganizationPath = (path: string) => string;

/** A change in the organization. Reloads the named resources when it has succeeded. */
export function useOrganizationMutation<Variables, Answer>(
  resources: readonly OrganizationResource[],
  send: (variables: Variables, api: OrganizationPath) => Promise<Answer>,
  options: Pick<UseMutationOptions, 'gcTime'> & {
    /** Changes what is loaded, in lists that are too long to be reloaded. */
    readonly apply?: (queries: QueryClient, organizationId: string, answer: Answer) => void;
  } = {},
) {
  const { id, api } = useOrganization();
  const queries = useQueryClient();
  const { apply, ...rest } = options;
  return useMutation({
    mutationFn: (variables: Variables) => send(variables, api),
    onSuccess: answer => {
      apply?.(queries, id, answer);
      return invalidate(queries, id, resources);
    },
    ...rest,
  });
}

/** Reloads resources that something other than a mutation has changed, such as a scan that has finished. */
export function useInvalidate(): (...resources: OrganizationResource[]) => void {
  const { id } = useOrganization();
  const queries = useQueryClient();
  return useCallback((...resources) => void invalidate(queries, id, resources), [queries, id]);
}
