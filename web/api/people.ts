import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type { InvitedPerson, PeopleAndInvitations } from '../../src/contract/dashboard/people.ts';
import type { Role, Session } from '../../src/contract/dashboard/session.ts';
import { apiPath } from './api-path.ts';
import { request } from './client.ts';
import type { OrganizationPath } from './organization-mutation.ts';
import { useOrganizationQuery } from './organization-query.ts';
import { invalidate, personalKey, resourceKey } from './query-keys.ts';
import { useAdoptSession, useOrganization } from './session.ts';

/** The organization's members; for admins also its pending invitations. */
export const usePeople = () =>
  useOrganizationQuery<Static<typeof PeopleAndInvitations>>(id => resourceKey(id, 'people'), '/people');

/** A change to the organization's people. The signed-in person may be one of them, so the session is loaded again too. */
function usePeopleMutation<Variables, Answer>(
  send: (variables: Variables, api: OrganizationPath) => Promise<Answer>,
) {
  const { id, api } = useOrganization();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (variables: Variables) => send(variables, api),
    onSuccess: async () => {
      await invalidate(queries, id, ['people']);
      await queries.invalidateQueries({ queryKey: personalKey('session') });
    },
  });
}

export const useInvite = () =>
  usePeopleMutation((body: { email: string; role: Role }, api) =>
    request<Static<typeof InvitedPerson>>('POST', api('/invitations'), { body }),
  );

export const useRevokeInvitation = () =>
  usePeopleMutation((id: string, api) => request('DELETE', api(apiPath`/invitations/${id}`)));

export const useChangeRole = () =>
  usePeopleMutation(({ id, role }: { id: string; role: Role }, api) =>
    request('PATCH', api(apiPath`/people/${id}`), { body: { role } }),
  );

export const useRemovePerson = () =>
  usePeopleMutation((id: string, api) => request('DELETE', api(apiPath`/people/${id}`)));

/** The signed-in person leaves the organization. */
export function useLeave() {
  const adopt = useAdoptSession();
  return usePeopleMutation(async (_: undefined, api) =>
    adopt(await request<Session>('POST', api('/leave'), { body: {} })),
  );
}
