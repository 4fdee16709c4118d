import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../../domain/refusal.ts';
import type { App } from '../../http/app.ts';
import { assertHost } from '../../http/assert-host.ts';
import { closeQueries } from '../../http/closed-queries.ts';
import { isLate } from '../../http/is-late.ts';
import type { Metrics } from '../../http/metrics.ts';
import { parseJson } from '../../http/parse-json.ts';
import { largeBodyTurn } from '../../http/share-turns.ts';
import { isKeyActive } from '../../resources/keys/api-keys.ts';
import { type AuthenticationOptions, authenticate } from '../authenticate.ts';
import { isSignedPath } from '../pathname.ts';
import type { ApiServices } from '../services.ts';

/** Throws if the request is refused. */
type Admit = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** Decorator of the context with the signed routes. */
const mark = 'signedRoutes';

export interface SignedRequestOptions extends AuthenticationOptions {
  /** Whether an unmatched target is a variant spelling of a signed path. */
  readonly namesSignedPath: (target: string) => boolean;
}

/**
 * Requires a signature for every route that `addRoutes` adds, and for unmatched requests with any spelling of a signed path.
 *
 * @returns the check for unmatched requests
 */
export function signedRequests(
  app: App,
  services: ApiServices,
  options: SignedRequestOptions,
  metrics: Pick<Metrics, 'decisions'>,
  addRoutes: (scope: App) => void,
): Admit {
  app.decorateRequest('bodyBytes', null as never);
  app.decorateRequest('apiKey', null as never);
  app.decorateRequest('actor', null as never);
  app.decorateRequest('organizationId', '');
  app.decorateRequest('store', null as never);
  app.decorateRequest('dataVersion', '');
  const admit = admission(services, options, metrics);

  const admitUnmatched: Admit = async (request, reply) => {
    if (options.namesSignedPath(request.originalUrl)) await admit(request, reply);
    else assertHost(request.raw);
  };
  app.addHook('onRoute', function (route) {
    assertItsSide(route.url, this.hasDecorator(mark));
  });
  app.addHook('onRequest', async (request, reply) => {
    // Wildcard routes, such as the pages of the dashboard, also match some spellings of signed paths.
    if (request.is404 || !request.server.hasDecorator(mark)) await admitUnmatched(request, reply);
  });
  // Signed routes have already read the body, and other routes without a parser do not read it.
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

/** The signature covers the bytes as sent, which are never decoded. */
function refuseEncoded(encoding: string | undefined): void {
  if (encoding === undefined || encoding.toLowerCase() === 'identity') return;
  throw new Refusal('invalid_body', { fields: [{ path: '', message: 'must not have a Content-Encoding' }] });
}

/** Authenticates the request and checks the scope. Sets `apiKey` and `store`. */
function admission(
  services: ApiServices,
  options: AuthenticationOptions,
  metrics: Pick<Metrics, 'decisions'>,
): Admit {
  return async (request, reply) => {
    void reply.header('cache-control', 'no-store').header('x-content-type-options', 'nosniff');
    const declared = request.routeOptions?.config ?? {};
    const { scope } = declared;
    const admitted = await authenticate(request, declared, options);
    metrics.decisions.inc({ decision: 'because' in admitted ? admitted.because.reason : 'admitted' });
    if ('because' in admitted) throw new Refusal('unauthorized', {}, admitted);
    const { key, dataVersion, body } = admitted;
    request.bodyBytes = body;
    request.apiKey = key;
    request.dataVersion = dataVersion;
    request.actor = { kind: 'key', id: key.id, address: request.ip };
    request.organizationId = key.organizationId;
    const admittedAt = performance.now();
    request.store = services.storage.tenant(key.organizationId, request.actor, {
      requestId: request.id,
      trace: request.span?.traceparent,
      async assertMayChange(session) {
        if (!isLate(admittedAt) || (await isKeyActive(session, key.id))) return;
        throw new Refusal('unauthorized', {}, { because: { reason: 'key_ended' } });
      },
    });
    assertHost(request.raw);
    if (scope && !key.scopes.includes(scope)) {
      throw new Refusal('forbidden', {}, { because: { reason: 'scope', scope } });
    }
  };
}

/** Throws at start if a signed route has an unsigned path, or an unsigned route could match a signed path. */
function assertItsSide(url: string, signed: boolean): void {
  const path = url.replace(/\/+/g, '/').toLowerCase();
  const first = path.split('/')[1] ?? '';
  // A parameter or wildcard in the first segment would match every prefix.
  const mayBeSigned = /[:*(]|^(api|functions)$/.test(first);
  if (signed ? !isSignedPath(path) : mayBeSigned) {
    throw new Error(
      `${url} is ${signed ? 'a signed route without' : 'an unsigned route with'} a signed path`,
    );
  }
}
