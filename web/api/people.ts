import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type { InvitedPerson, PeopleAndInvitations } from '../../src/contract/dashboard/people.ts';
import type { Role } from '../../src/contract/dashboard/session.ts';
import { request } from './client.ts';
import { sessionKey, useOrganization } from './session.ts';

/** Who belongs to the organization; for admins also who is invited. */
export function usePeople() {
  const { id, api } = useOrganization();
  return useQuery({
    queryKey: ['people', id],
    queryFn: ({ signal }) => request<Static<typeof PeopleAndInvitations>>('GET', api('/people'), { signal }),
  });
}

/** An act on the organization's people: `act` gets a path of the organization's own. */
export function usePeopleAct<Variables, Answer>(
  act: (variables: Variables, api: (path: string) => string) => Promise<Answer>,
) {
  const { id, api } = useOrganization();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (variables: Variables) => act(variables, api),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['people', id] });
      // Among them may be the person whose pages these are.
      await queries.invalidateQueries({ queryKey: sessionKey });
    },
  });
}

export function useInvite() {
  return usePeopleAct((body: { email: string; role: Role }, api) =>
    request<Static<typeof InvitedPerson>>('POST', api('/invitations'), { body }),
  );
}
