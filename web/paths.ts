import { useParams } from 'react-router';

/** Sections of an organization's dashboard, as they appear in URLs. */
export type Section =
  | 'overview'
  | 'findings'
  | 'systems'
  | 'sources'
  | 'sources/new'
  | 'probes'
  | 'probes/new'
  | 'scans'
  | 'events'
  | 'shield'
  | 'controls'
  | 'evidence'
  | 'audit'
  | 'settings/channels'
  | 'settings/keys'
  | 'settings/notifications'
  | 'settings/people'
  | 'settings/due-dates'
  | 'settings/security';

type Query = Readonly<Record<string, string | undefined>>;

/** Paths of pages, relative to `basePath`. Nothing else builds them. */
export const paths = {
  home: '/',
  signIn: '/sign-in',
  setUp: '/set-up',
  invitation: '/invitation',
  invitations: '/invitations',
  provider: '/provider',
  passwordReset: '/password-reset',
  unsubscribe: '/unsubscribe',
  organization: (organizationId: string) => `/o/${organizationId}`,
  section: (organizationId: string, section: Section, query: Query = {}) =>
    `/o/${organizationId}/${section}${queryString(query)}`,
  /** One object of a section, such as a source. */
  object: (organizationId: string, section: Section, id: string) =>
    `/o/${organizationId}/${section}/${encodeURIComponent(id)}`,
};

/** Paths within the organization that is open. */
export function useOrganizationPaths() {
  const { organizationId = '' } = useParams();
  return {
    organizationId,
    section: (section: Section, query: Query = {}) => paths.section(organizationId, section, query),
    object: (section: Section, id: string) => paths.object(organizationId, section, id),
  };
}

/** `?a=1&b=2` of the parameters that have a value; empty if none has. */
export function queryString(query: Query): string {
  const entries = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return entries.length === 0 ? '' : `?${new URLSearchParams(entries)}`;
}

/** The path to open after sign-in, taken from a URL that anyone may have written: home unless it is one of this site. */
export function safeReturnPath(next: string | null): string {
  // Browsers drop control characters, and treat a backslash as a slash.
  return next !== null && /^\/(?![/\\\p{Cc}])/u.test(next) ? next : paths.home;
}
