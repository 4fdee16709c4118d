import {
  type QueryClient,
  useMutation,
  useQuery,
  useQueryClient,
  useSuspenseQuery,
} from '@tanstack/react-query';
import { createContext, use } from 'react';
import { useParams } from 'react-router';
import type { Session } from '../../src/contract/dashboard/session.ts';
import { canOperate } from '../permissions.ts';
import { apiPath } from './api-path.ts';
import { knowSession, request } from './client.ts';
import { isSessionKey, personalKey } from './query-keys.ts';

/** The person whose data is in the cache. */
let loadedFor: string | null = null;

/** Makes a session the current one. Data that was loaded for someone else is removed. */
function adopt(queries: QueryClient, session: Session): void {
  knowSession(session);
  const person = session.person?.id ?? null;
  if (loadedFor !== null && person !== loadedFor) {
    queries.removeQueries({ predicate: ({ queryKey }) => !isSessionKey(queryKey) });
  }
  loadedFor = person;
}

async function readSession({ client }: { readonly client: QueryClient }): Promise<Session> {
  const session = await request<Session>('GET', '/session');
  adopt(client, session);
  return session;
}

const session = { queryKey: personalKey('session'), queryFn: readSession, staleTime: 60_000 };

/**
 * The session, which may still be loading. Refreshed every minute, so that an open page redirects to sign-in soon after the
 * session has ended.
 */
export function useSessionQuery() {
  return useQuery({ ...session, refetchInterval: ({ state }) => (state.data?.person ? 60_000 : false) });
}

/** The session; inside the layout it is always loaded. */
export function useSession(): Session {
  return useSuspenseQuery(session).data;
}

export const OrganizationContext = createContext<Session['organizations'][number] | undefined>(undefined);

/** The organization in the URL, and what the person may do in it. */
export function useOrganization() {
  const organization = use(OrganizationContext);
  const { organizationId } = useParams();
  if (!organization) throw new Error(`This page is outside of an organization: ${organizationId}`);
  return {
    ...organization,
    canOperate: canOperate(organization.role),
    /** Builds a path below the organization, for `request`. */
    api: (path: string) => `${apiPath`/organizations/${organization.id}`}${path}`,
  };
}

/** See `adopt`. */
export function useAdoptSession(): (session: Session) => void {
  const queries = useQueryClient();
  return session => {
    adopt(queries, session);
    queries.setQueryData(personalKey('session'), session);
  };
}

/** A request that changes the session: its response is the new one. @param path below `/dashboard/api` */
export function useSessionMutation<Body>(path: string) {
  return useMutation({
    mutationFn: (body: Body) => request<Session>('POST', path, { body: body ?? {} }),
    onSuccess: useAdoptSession(),
  });
}

/** Ends this browser's session. */
export const useSignOut = () => useSessionMutation<void>('/sign-out');
