import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../../domain/refusal.ts';
import type { App } from '../../http/app.ts';
import { assertHost } from '../../http/assert-host.ts';
import { closeQueries } from '../../http/closed-queries.ts';
import { isLate } from '../../http/is-late.ts';
import { parseJson } from '../../http/parse-json.ts';
import { largeBodyTurn } from '../../http/share-turns.ts';
import { isKeyActive } from '../../resources/keys/api-keys.ts';
import { type AuthenticationOptions, authenticate } from '../authenticate.ts';
import { isSignedPath } from '../pathname.ts';
import type { ApiServices } from '../services.ts';

/** Admits a request, or throws. */
type Admit = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** Decorates the context whose routes are signed. */
const mark = 'signedRoutes';

export interface SignedRequestOptions extends AuthenticationOptions {
  /** Whether a target that no route matches names a signed path in some spelling. */
  readonly namesSignedPath: (target: string) => boolean;
}

/**
 * Decides by the route that was matched whether a request must be signed: every route of the context that `addRoutes` adds
 * to, and no other. What matches no route is decided by its path in any spelling. Returns what admits the latter.
 */
export function signedRequests(
  app: App,
  services: ApiServices,
  options: SignedRequestOptions,
  addRoutes: (scope: App) => void,
): Admit {
  app.decorateRequest('bodyBytes', null as never);
  app.decorateRequest('apiKey', null as never);
  app.decorateRequest('actor', null as never);
  app.decorateRequest('organizationId', '');
  app.decorateRequest('store', null as never);
  app.decorateRequest('dataVersion', '');
  const admit = admission(services, options);

  const admitUnmatched: Admit = async (request, reply) => {
    if (options.namesSignedPath(request.originalUrl)) await admit(request, reply);
    else assertHost(request.raw);
  };
  app.addHook('onRoute', function (route) {
    assertItsSide(route.url, this.hasDecorator(mark));
  });
  app.addHook('onRequest', async (request, reply) => {
    // A route that takes any path, as that of the dashboard's pages, is matched by some spellings too.
    if (request.is404 || !request.server.hasDecorator(mark)) await admitUnmatched(request, reply);
  });
  // Of an unsigned route that asks for no body, none is read; the bytes of a signed one are read already.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));

  void app.register(async scope => {
    scope.decorate(mark, true);
    closeQueries(scope as unknown as App);
    scope.addHook('onRequest', admit);
    scope.addHook('preValidation', async request => {
      if (request.method !== 'POST') return;
      await largeBodyTurn(request.raw, request.bodyBytes.length, request);
      refuseEncoded(request.headers['content-encoding']);
      const isLeftOut = request.bodyBytes.length === 0 && request.routeOptions.config.bodyOptional === true;
      request.body = isLeftOut ? {} : parseJson(request.bodyBytes);
    });
    addRoutes(scope as unknown as App);
  });
  return admitUnmatched;
}

/** The bytes are what is signed, and are read as they are. */
function refuseEncoded(encoding: string | undefined): void {
  if (encoding === undefined || encoding.toLowerCase() === 'identity') return;
  throw new Refusal('invalid_body', { fields: [{ path: '', message: 'must not have a Content-Encoding' }] });
}

/** Size, signature and guard, then scope. After it a handler has `apiKey` and `store`. */
function admission(services: ApiServices, options: AuthenticationOptions): Admit {
  return async (request, reply) => {
    void reply.header('cache-control', 'no-store').header('x-content-type-options', 'nosniff');
    const { scope, signedPathname } = request.routeOptions?.config ?? {};
    const admitted = await authenticate(request, signedPathname, options);
    if (!admitted) throw new Refusal('unauthorized');
    const { key, dataVersion, body } = admitted;
    request.bodyBytes = body;
    request.apiKey = key;
    request.dataVersion = dataVersion;
    request.actor = { kind: 'key', id: key.id, address: request.ip };
    request.organizationId = key.organizationId;
    const admittedAt = performance.now();
    request.store = services.storage.tenant(key.organizationId, request.actor, {
      async assertMayChange(session) {
        if (isLate(admittedAt) && !(await isKeyActive(session, key.id))) throw new Refusal('unauthorized');
      },
    });
    assertHost(request.raw);
    if (scope && !key.scopes.includes(scope)) throw new Refusal('forbidden');
  };
}

/** A route that could answer a signed path without a signature, or the other way round, stops the start. */
function assertItsSide(url: string, signed: boolean): void {
  const path = url.replace(/\/+/g, '/').toLowerCase();
  const first = path.split('/')[1] ?? '';
  // A parameter or wildcard in the first segment would match every prefix.
  const mayBeSigned = /[:*(]|^(api|functions)$/.test(first);
  if (signed ? !isSignedPath(path) : mayBeSigned) {
    throw new Error(`${url} is ${signed ? '' : 'not '}a signed route, and its path says otherwise`);
  }
}
