import type { FastifyRequest } from 'fastify';
import type { Source } from '../../../contract/sources.ts';
import { found, objectId } from '../../../http/answers.ts';
import { findSource } from '../../../resources/sources/sources.ts';

/**
 * Checks the source before the body is validated: first 404, then its state. The handler checks the state again with the source
 * locked.
 */
export function judgeSource(assertAllows: (source: Source, request: FastifyRequest) => void) {
  return async (request: FastifyRequest): Promise<void> => {
    const id = objectId(request.params as { id: string });
    assertAllows(found(await request.store.read(session => findSource(session, id))), request);
  };
}
