import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../../domain/refusal.ts';
import type { Api } from '../../http/api.ts';
import { parseJson } from '../../http/parse-json.ts';
import { type AuthenticationOptions, authenticate } from '../authenticate.ts';
import { isSignedPath, pathnameOf } from '../pathname.ts';
import type { ApiServices } from '../services.ts';
import { readBody } from './read-body.ts';

/** Admits a request below the signed paths, or throws. What does not exist is authenticated too. */
export type Admit = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/**
 * The way of every request below `/api/v1` and `/functions/v1`, whether its route exists or not: size, signature and
 * guard, then scope, then the body's JSON. After it a handler has `apiKey` and `store`.
 */
export function signedRequests(
  app: Api,
  services: ApiServices,
  authentication: AuthenticationOptions,
): Admit {
  app.decorateRequest('bodyBytes', null as never);
  app.decorateRequest('apiKey', null as never);
  app.decorateRequest('actor', null as never);
  app.decorateRequest('organizationId', '');
  app.decorateRequest('store', null as never);
  app.decorateRequest('dataVersion', '');

  const admit: Admit = async (request, reply) => {
    if (!isSignedPath(pathnameOf(request.raw))) return;
    void reply.header('cache-control', 'no-store').header('x-content-type-options', 'nosniff');
    request.bodyBytes = await readBody(request.raw);
    const admitted = await authenticate(request.raw, request.bodyBytes, authentication);
    if (!admitted) throw new Refusal('unauthorized');
    const { key, dataVersion } = admitted;
    request.apiKey = key;
    request.dataVersion = dataVersion;
    request.actor = { kind: 'key', id: key.id, address: request.ip };
    request.organizationId = key.organizationId;
    request.store = services.storage.tenant(key.organizationId, request.actor);
    const scope = request.routeOptions?.config?.scope;
    if (scope && !key.scopes.includes(scope)) throw new Refusal('forbidden');
  };
  app.addHook('onRequest', admit);

  // The bytes are read already: no parser may touch the stream again.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));

  app.addHook('preValidation', async request => {
    if (request.method !== 'POST' || !request.apiKey) return;
    const isLeftOut = request.bodyBytes.length === 0 && request.routeOptions.config.bodyOptional === true;
    request.body = isLeftOut ? {} : parseJson(request.bodyBytes);
  });
  return admit;
}
