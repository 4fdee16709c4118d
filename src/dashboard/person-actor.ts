import type { FastifyRequest } from 'fastify';
import type { Actor } from '../database/audit.ts';

/** The person of a request, where it came from: in whose name something is done. */
export function personActor(request: FastifyRequest, personId: string): Actor {
  return { kind: 'person', id: personId, address: request.ip };
}
