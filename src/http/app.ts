import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Actor } from '../database/audit.ts';
import type { TenantStore } from '../database/tenant-store.ts';

/** A Fastify instance whose handlers take their types from the routes' schemas. */
export type App = FastifyInstance<
  Server,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks, and from where, once that is known. */
    actor: Actor;
    /** The caller's organization: the key's, or the one of the path. */
    organizationId: string;
    /** The rows of the caller's organization, and of no other. */
    store: TenantStore;
  }
}
