import type { QueryClient } from '@tanstack/react-query';

/** What pages load of an organization. */
export type OrganizationResource =
  | 'audit'
  | 'channels'
  | 'controls'
  | 'events'
  | 'evidence'
  | 'findings'
  | 'inventory'
  | 'keys'
  | 'notifications'
  | 'overview'
  | 'people'
  | 'probes'
  | 'risk-statements'
  | 'scans'
  | 'shield'
  | 'sources'
  | 'systems'
  | 'views';

/** What pages load of the signed-in person, whichever organization is open. */
type PersonalResource = 'session' | 'security';

export type Filters = Readonly<Record<string, string | undefined>>;

declare const built: unique symbol;

/** Only this module builds keys, so that what one module loads another can invalidate by name. */
export type QueryKey = readonly unknown[] & { readonly [built]: true };

declare module '@tanstack/react-query' {
  interface Register {
    queryKey: QueryKey;
  }
}

const key = (...parts: readonly unknown[]) => parts as unknown as QueryKey;

export const personalKey = (resource: PersonalResource) => key(resource);

/** A finding that a link names without its organization. */
export const findingLinkKey = (findingId: string) => key('finding-link', findingId);

/** The resource as a whole: the prefix of the organization's other keys for it. */
export const resourceKey = (organizationId: string, resource: OrganizationResource) =>
  key(resource, organizationId);

export const listKey = (organizationId: string, resource: OrganizationResource, filters: Filters) =>
  key(resource, organizationId, 'list', filters);

/** The prefix of the keys of a resource's lists. */
export const listKeys = (organizationId: string, resource: OrganizationResource) =>
  key(resource, organizationId, 'list');

export const countsKey = (organizationId: string, resource: OrganizationResource, filters: Filters) =>
  key(resource, organizationId, 'counts', filters);

export const objectKey = (organizationId: string, resource: OrganizationResource, id: string) =>
  key(resource, organizationId, 'object', id);

export const eventRetentionKey = (organizationId: string) => key('events', organizationId, 'retention');

export const scanRetentionKey = (organizationId: string, days?: string) =>
  key('scans', organizationId, 'retention', days ?? '');

export const findingGroupsKey = (organizationId: string, filters: Filters) =>
  key('findings', organizationId, 'groups', filters);

/** Changes with the members of the organization. */
export const findingPeopleKey = (organizationId: string) => key('people', organizationId, 'findings');

export const duePolicyKey = (organizationId: string) => key('findings', organizationId, 'due-policy');

export const systemNamesKey = (organizationId: string, filters: Filters) =>
  key('systems', organizationId, 'names', filters);

/** What can be loaded with a token from a link, before anyone has signed in. */
export const tokenKey = (path: string, token: string) => key('token', path, token);

export const newTotpKey = key('new-totp');

export const isSessionKey = ([resource]: QueryKey) => resource === 'session';

export const isOfOrganization = (key: QueryKey, organizationId: string) => key[1] === organizationId;

/** Pages of a list that are loaded again one after the other. A longer list is kept as it is until other filters or a reload. */
const mostReloaded = 4;

export const isLongList = ({ state }: { readonly state: { readonly data?: unknown } }) =>
  ((state.data as { pages?: unknown[] } | undefined)?.pages?.length ?? 0) > mostReloaded;

/** Reloads these resources: what is on the page now, except for long lists; the rest when it is shown next. */
export async function invalidate(
  queries: QueryClient,
  organizationId: string,
  resources: readonly OrganizationResource[],
): Promise<void> {
  const reload = async (resource: OrganizationResource) => {
    const queryKey = resourceKey(organizationId, resource);
    await queries.invalidateQueries({ queryKey, refetchType: 'none' });
    await queries.refetchQueries({ queryKey, type: 'active', predicate: query => !isLongList(query) });
  };
  await Promise.all(resources.map(reload));
}
