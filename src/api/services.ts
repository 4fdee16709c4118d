import type { TSchema } from 'typebox';
import type { Scope } from '../contract/keys.ts';
import type { ApiKey } from '../resources/keys/api-keys.ts';
import type { CredentialProblems, TestConnection } from '../resources/sources/connect-source.ts';
import type { Storage } from '../resources/storage.ts';

/** What the routes work with. Put together in main. */
export interface ApiServices {
  readonly storage: Pick<Storage, 'tenant' | 'system' | 'guard' | 'lookups' | 'outages' | 'vault'>;
  readonly testConnection: TestConnection;
  readonly credentialProblems: CredentialProblems;
  /** Whether database and service-role credentials may be stored (`PARAPET_PRIVILEGED_CONNECTIONS`). */
  readonly privilegedConnections: boolean;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the caller's key must hold. */
    scope?: Scope;
    /** Whether privileged kinds of sources take `sources:privileged` as well. */
    privilegedScope?: boolean;
    /** An action whose body may be left out: it then counts as `{}`. */
    bodyOptional?: boolean;
    /** What the OpenAPI document says of the body, where the route itself validates its parts one by one. */
    documentedBody?: TSchema;
    /** What is signed in place of the path, whatever URL the request travels through (specification, section 5). */
    signedPathname?: string;
  }
  interface FastifyRequest {
    /** The exact bytes that were sent. Empty outside the signed routes. */
    bodyBytes: Buffer;
    /** The caller's key, once the request is admitted. */
    apiKey: ApiKey;
    /** What the organization can read is at least as new as this; see `Admission`. */
    dataVersion: string;
  }
}
