import { randomUUID } from 'node:crypto';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import fastify, { type FastifyBaseLogger } from 'fastify';
import { Refusal } from '../domain/refusal.ts';
import type { Tracer } from '../domain/tracing.ts';
import { answerError } from '../http/answer-errors.ts';
import type { App } from '../http/app.ts';
import { type CountedTogether, capConnections } from '../http/connection-caps.ts';
import { readForwardedAddress } from '../http/forwarded-address.ts';
import { createHttpServer } from '../http/http-server.ts';
import { Metrics } from '../http/metrics.ts';
import { pageHeaders } from '../http/page-headers.ts';
import { Readiness } from '../http/readiness.ts';
import { RefusalLog } from '../http/refusal-log.ts';
import { serialization } from '../http/serialization.ts';
import { shareTurns } from '../http/share-turns.ts';
import { cutStalledAnswers } from '../http/stalled-answers.ts';
import { defaultTransportLimits, type TransportLimits } from '../http/transport-limits.ts';
import { proxyTest } from '../http/trusted-proxies.ts';
import { schemaErrorFormatter, validatorCompiler } from '../http/validation.ts';
import { KeyCache } from './key-cache.ts';
import { namesSignedPath, withoutPrefix } from './pathname.ts';
import { documentation, referencePage } from './plugins/documentation.ts';
import { type GuideOptions, guides } from './plugins/guides.ts';
import { logMalformed, operations } from './plugins/operations.ts';
import { signedRequests } from './plugins/signed-requests.ts';
import { unchangedAnswers } from './plugins/unchanged-answers.ts';
import { addRoutes } from './routes/routes.ts';
import type { ApiServices } from './services.ts';

export interface ServerOptions {
  readonly services: ApiServices;
  readonly logger: FastifyBaseLogger;
  /** The word in `x-<brand>-…` headers (`PARAPET_BRAND`). */
  readonly brand: string;
  /** Path prefix that a proxy adds, such as `/parapet`; empty for none (`PARAPET_PUBLIC_PREFIX`). */
  readonly publicPrefix: string;
  /** Public URL; undefined if not set (`PARAPET_PUBLIC_URL`). */
  readonly publicUrl: string | undefined;
  readonly version: string;
  readonly guides: GuideOptions;
  /** CIDRs of proxies whose `X-Forwarded-For` and `-Proto` are trusted (`PARAPET_TRUSTED_PROXIES`). */
  readonly trustedProxies: readonly string[];
  /** Served on the management port. */
  readonly metrics?: Metrics;
  /** Measures requests, if the operator collects traces. */
  readonly tracer?: Tracer | undefined;
  /** Whether load balancers should send requests. */
  readonly readiness?: Readiness;
  /** Overrides of `defaultTransportLimits`. */
  readonly transport?: Partial<TransportLimits>;
  /** Counts connections of all processes that share the port. */
  readonly together?: CountedTogether | undefined;
  /** Adds further routes, such as the dashboard. */
  readonly add?: (app: App) => Promise<void>;
}

/** Builds the HTTP server with the signed API, public pages and health checks. It does not listen yet. */
export async function buildServer(options: ServerOptions): Promise<App> {
  const { services, logger, publicPrefix, metrics = new Metrics() } = options;
  const headerPrefix = `x-${options.brand}-`;
  const transport = { ...defaultTransportLimits, ...options.transport };
  const isProxy = proxyTest(options.trustedProxies);
  const isSigned = (target: string) => namesSignedPath(target, publicPrefix);
  const { outages } = services.storage;
  const { readiness = new Readiness({ system: services.storage.system, pools: () => [] }) } = options;
  const refusals = new RefusalLog(logger, metrics);
  let admitUnmatched: ReturnType<typeof signedRequests>;
  let observe: ReturnType<typeof operations>;
  const app: App = fastify({
    loggerInstance: logger,
    logController: new fastify.LogController({
      disableRequestLogging: true,
      requestIdLogLabel: 'request_id',
    }),
    // Unique across nodes: answers and all lines about a request include it. One that the client sends is not used.
    genReqId: () => randomUUID(),
    // Fastify would add a second server without our limits if `localhost` has two addresses.
    serverFactory: handler =>
      createHttpServer(
        readForwardedAddress(shareTurns(handler), isProxy),
        transport,
        isSigned,
        logMalformed(refusals),
      ),
    trustProxy: [...options.trustedProxies],
    schemaErrorFormatter,
    ...serialization,
    // Proxies that concatenate paths can create double slashes.
    routerOptions: { maxParamLength: 16_384, ignoreDuplicateSlashes: true },
    rewriteUrl: request => withoutPrefix(request.url ?? '/', publicPrefix),
    frameworkErrors: (_error, request, reply) => {
      observe(request, reply);
      // A path that cannot be decoded matches no route, but must be authenticated like any other.
      admitUnmatched(request, reply).then(
        () => answerError(outages, new Refusal('not_found'), request, reply),
        error => answerError(outages, error, request, reply),
      );
    },
    // createHttpServer handles this event.
    clientErrorHandler: () => {},
  }).withTypeProvider<TypeBoxTypeProvider>();
  app.setValidatorCompiler(validatorCompiler());
  cutStalledAnswers(app.server, transport, metrics);
  capConnections(app.server, transport, isProxy, { metrics, together: options.together });

  app.setErrorHandler((error: Error, request, reply) => answerError(outages, error, request, reply));
  app.setNotFoundHandler(() => {
    throw new Refusal('not_found');
  });
  observe = operations(app, readiness.status, metrics, refusals, options.tracer);
  const serverUrl = options.publicUrl ?? (publicPrefix || '/');
  await documentation(app, { version: options.version, headerPrefix, serverUrl });
  const authentication = {
    keys: new KeyCache(services.storage.lookups),
    guard: services.storage.guard,
    headerPrefix,
    namesSignedPath: isSigned,
  };
  admitUnmatched = signedRequests(app, services, authentication, metrics, scope => {
    unchangedAnswers(scope);
    addRoutes(scope, services);
  });
  await app.register(async pages => {
    pages.addHook('onRequest', async (_request, reply) => void reply.headers(pageHeaders(options.publicUrl)));
    await referencePage(pages as unknown as App);
    guides(pages as unknown as App, options.guides);
  });
  await options.add?.(app);
  await app.ready();
  return app;
}
