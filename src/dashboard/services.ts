import type { Source } from '../contract/sources.ts';
import type { DetectorDescription } from '../domain/check-description.ts';
import type { CredentialProblems, TestConnection } from '../resources/sources/connect-source.ts';
import type { Storage } from '../resources/storage.ts';
import type { OidcProvider } from './sign-in/oidc.ts';

/** What the dashboard's routes work with. Put together in main. */
export interface DashboardServices {
  readonly storage: Pick<Storage, 'tenantFor' | 'vault' | 'peopleFor' | 'lookups' | 'outages' | 'keyRing'>;
  /** What scans look for, with the words that explain it. */
  readonly detectors: readonly DetectorDescription[];
  readonly testConnection: TestConnection;
  readonly credentialProblems: CredentialProblems;
  /** The two places that prove whose a website's domain is, null for a host that cannot be one; and in which a token is. */
  readonly domainProof: {
    readonly places: (host: string) => { readonly record: string; readonly url: string } | null;
    readonly find: (
      source: Source,
      token: string,
      task: { readonly organizationId: string; readonly signal: AbortSignal },
    ) => Promise<'dns_txt' | 'well_known_file' | null>;
  };
  /** Whether database and service-role credentials may be stored (`PARAPET_PRIVILEGED_CONNECTIONS`). */
  readonly privilegedConnections: boolean;
  /** Where people find this service, without a slash at its end; undefined where nobody said (`PARAPET_PUBLIC_URL`). */
  readonly publicUrl: string | undefined;
  /** The prefix under which a proxy serves us, such as `/parapet`; empty for none (`PARAPET_PUBLIC_PREFIX`). */
  readonly publicPrefix: string;
  /** The OpenID provider that people may sign in with, where the operator has set one up. */
  readonly oidc?: OidcProvider;
  /** The word in `x-<brand>-…` headers (`PARAPET_BRAND`). */
  readonly brand: string;
  readonly version: string;
}
