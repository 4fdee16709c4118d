import { useParams } from 'react-router';

/** Where the dashboard is served, with the prefix of a proxy, and a slash at its end: `/dashboard/`. */
export const basePath = new URL(document.baseURI).pathname;

/** Where clients find the service, without a slash at its end. */
export const serviceUrl = new URL('..', document.baseURI).href.replace(/\/+$/, '');

/** The word in the headers of signed requests, as the operator has it. */
export const brand =
  document.querySelector<HTMLMetaElement>('meta[name=parapet-brand]')?.content ?? 'service';

/** Sections of an organization's dashboard, as they are in addresses. */
export type Section =
  | 'overview'
  | 'findings'
  | 'systems'
  | 'sources'
  | 'sources/new'
  | 'scans'
  | 'events'
  | 'controls'
  | 'evidence'
  | 'audit'
  | 'settings/keys'
  | 'settings/people'
  | 'settings/security';

type Query = Record<string, string | undefined>;

/** Addresses of pages, below `basePath`. Nothing else puts them together. */
export const paths = {
  home: '/',
  signIn: '/sign-in',
  setUp: '/set-up',
  invitation: '/invitation',
  invitations: '/invitations',
  provider: '/provider',
  passwordReset: '/password-reset',
  organization: (organizationId: string) => `/o/${organizationId}`,
  section: (organizationId: string, section: Section, query: Query = {}) =>
    `/o/${organizationId}/${section}${queryString(query)}`,
  /** One object of a section, such as a finding. */
  object: (organizationId: string, section: Section, id: string) =>
    `/o/${organizationId}/${section}/${encodeURIComponent(id)}`,
};

/** Addresses inside the organization that the current address names. */
export function useOrganizationPaths() {
  const { organizationId = '' } = useParams();
  return {
    organizationId,
    section: (section: Section, query: Query = {}) => paths.section(organizationId, section, query),
    object: (section: Section, id: string) => paths.object(organizationId, section, id),
  };
}

/** `?a=1&b=2` of the parameters that have a value; empty for none. */
export function queryString(query: Query): string {
  const entries = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return entries.length === 0 ? '' : `?${new URLSearchParams(entries)}`;
}
