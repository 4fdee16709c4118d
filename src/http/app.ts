import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Actor } from '../database/audit.ts';
import type { TenantStore } from '../database/tenant-store.ts';
import type { Span } from '../domain/tracing.ts';

/** A Fastify instance with handler types from the route schemas. */
export type App = FastifyInstance<
  Server,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

declare module 'fastify' {
  interface FastifyRequest {
    /** Measures the request, if the operator collects traces. */
    span: Span | undefined;
    /** The key or person with its address, set after authentication. */
    actor: Actor;
    /** The organization of the key, or of the path. */
    organizationId: string;
    /** Store limited to the organization. */
    store: TenantStore;
  }
}
