import {
  type QueryClient,
  useMutation,
  useQuery,
  useQueryClient,
  useSuspenseQuery,
} from '@tanstack/react-query';
import { createContext, use } from 'react';
import { useParams } from 'react-router';
import type { Role, Session } from '../../src/contract/dashboard/session.ts';
import { apiPath } from './api-path.ts';
import { knowSession, request } from './client.ts';
import { isSessionKey, personalKey } from './query-keys.ts';

/** For whom pages have loaded what they keep. */
let loadedFor: string | null = null;

/** Makes the session that the service has answered known to all pages. What was loaded for somebody else is forgotten. */
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
 * Who is signed in here, while it may still be unknown. Requested again every minute, so that an open page leads to the sign-in
 * page soon after the session has ended.
 */
export function useSessionQuery() {
  return useQuery({ ...session, refetchInterval: ({ state }) => (state.data?.person ? 60_000 : false) });
}

/** Who is signed in here. Inside the layout it is always known. */
export function useSession(): Session {
  return useSuspenseQuery(session).data;
}

export interface OrganizationAccess {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
}

export const OrganizationContext = createContext<OrganizationAccess | undefined>(undefined);

/** The organization of the address, and what the person may do in it. */
export function useOrganization() {
  const organization = use(OrganizationContext);
  const { organizationId } = useParams();
  if (!organization) throw new Error(`No organization around this page: ${organizationId}`);
  return {
    ...organization,
    /** Admins and owners operate; members read. */
    canOperate: organization.role !== 'member',
    isOwner: organization.role === 'owner',
    /** A path of the organization's own routes, for `request`. */
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

/** An act that changes where this browser stands. `path` is below `/dashboard/api`. */
export function useSessionMutation<Body extends object>(path: string) {
  const adopt = useAdoptSession();
  return useMutation({
    mutationFn: (body: Body) => request<Session>('POST', path, { body }),
    onSuccess: adopt,
  });
}

/** Ends this browser's session. */
export function useSignOut() {
  const adopt = useAdoptSession();
  return useMutation({
    mutationFn: () => request<Session>('POST', '/sign-out', { body: {} }),
    onSuccess: adopt,
  });
}
