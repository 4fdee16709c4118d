import type { FastifyRequest } from 'fastify';
import type { Actor } from '../database/audit.ts';

/** The person and client address of a request, as the actor of audit entries. */
export function personActor(request: FastifyRequest, personId: string): Actor {
  return { kind: 'person', id: personId, address: request.ip };
}
