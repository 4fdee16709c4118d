import type { Source } from '../contract/sources.ts';
import type { DetectorDescription } from '../domain/check-description.ts';
import type { VerifyingService } from '../resources/scans/request-verification.ts';
import type {
  CredentialProblems,
  IsBlockedAddress,
  TestConnection,
} from '../resources/sources/connect-source.ts';
import type { Storage } from '../resources/storage.ts';
import type { OidcProvider } from './sign-in/oidc.ts';

/** Dependencies of the dashboard routes, created in main. */
export interface DashboardServices {
  readonly storage: Pick<
    Storage,
    'tenantFor' | 'vault' | 'peopleFor' | 'lookups' | 'outages' | 'keyRing' | 'replica'
  >;
  /** Detectors with their checks and texts. */
  readonly detectors: readonly DetectorDescription[];
  readonly testConnection: TestConnection;
  readonly credentialProblems: CredentialProblems;
  readonly isBlockedAddress: IsBlockedAddress;
  /** The two places that prove a domain, null for a host that cannot be proven; and which of them contains the token. */
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
  /** `full` if only full scans assess the check at this place. */
  readonly depthOfFinding: VerifyingService['depthOfFinding'];
  /** Whether the operator has set up a mail server (`PARAPET_SMTP_URL`). */
  readonly sendsMail: boolean;
  /** Public URL without a trailing slash; undefined if not set (`PARAPET_PUBLIC_URL`). */
  readonly publicUrl: string | undefined;
  /** Path prefix of the reverse proxy, such as `/parapet`; empty for none (`PARAPET_PUBLIC_PREFIX`). */
  readonly publicPrefix: string;
  /** OpenID provider for sign-in, if the operator has configured one. */
  readonly oidc?: OidcProvider;
  /** Name in `x-<brand>-…` headers (`PARAPET_BRAND`). */
  readonly brand: string;
  readonly version: string;
}
