import type { TSchema } from 'typebox';
import type { EventChannel } from '../contract/events.ts';
import type { Scope } from '../contract/keys.ts';
import type { Subject } from '../database/request-guard.ts';
import type { ApiKey } from '../resources/keys/api-keys.ts';
import type { CredentialProblems, TestConnection } from '../resources/sources/connect-source.ts';
import type { Storage } from '../resources/storage.ts';

interface CountedEvents {
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: number;
}

/** Dependencies of the routes, assembled in src/main. */
export interface ApiServices {
  readonly storage: Pick<Storage, 'tenant' | 'system' | 'guard' | 'events' | 'lookups' | 'outages' | 'vault'>;
  /** Counts the events of a request. */
  readonly countEvents?: (channel: EventChannel, events: CountedEvents) => void;
  readonly testConnection: TestConnection;
  readonly credentialProblems: CredentialProblems;
  /** Whether database and service-role credentials may be stored (`PARAPET_PRIVILEGED_CONNECTIONS`). */
  readonly privilegedConnections: boolean;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Required scope of the key. */
    scope?: Scope;
    /** Whether privileged kinds of sources also require `sources:privileged`. */
    privilegedScope?: boolean;
    /** Whether an empty body is treated as `{}`. */
    bodyOptional?: boolean;
    /** Body schema for the OpenAPI document, if the route validates parts of the body itself. */
    documentedBody?: TSchema;
    /** What a GET route returns: its response is repeated from memory until that changes. */
    reads?: Subject;
    /** Constant path that is signed instead of the path of the URL (specification, section 5). */
    signedPathname?: string;
  }
  interface FastifyRequest {
    /** The exact bytes of the body, on signed routes only. */
    bodyBytes: Buffer;
    /** Set after authentication. */
    apiKey: ApiKey;
    /** Lower bound of the data version that the request reads; see `Admission`. */
    dataVersion: string;
  }
}
