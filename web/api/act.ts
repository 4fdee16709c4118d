import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useOrganization } from './session.ts';

/** An act in the organization. What is known of the named areas is asked for again when it has succeeded. */
export function useAct<Variables, Answer>(
  areas: readonly string[],
  act: (variables: Variables, api: (path: string) => string) => Promise<Answer>,
) {
  const { id, api } = useOrganization();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (variables: Variables) => act(variables, api),
    onSuccess: () => Promise.all(areas.map(area => queries.invalidateQueries({ queryKey: [area, id] }))),
  });
}
