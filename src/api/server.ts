import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import fastify, { type FastifyBaseLogger } from 'fastify';
import { Refusal } from '../domain/refusal.ts';
import { answerError } from '../http/answer-errors.ts';
import { errorAnswer } from '../http/answers.ts';
import type { Api } from '../http/api.ts';
import { pageHeaders } from '../http/page-headers.ts';
import { validation } from '../http/validation.ts';
import { KeyCache } from './key-cache.ts';
import { withoutPrefix } from './pathname.ts';
import { documentation, referencePage } from './plugins/documentation.ts';
import { type GuideOptions, guides } from './plugins/guides.ts';
import { operations } from './plugins/operations.ts';
import { type Admit, signedRequests } from './plugins/signed-requests.ts';
import { unchangedAnswers } from './plugins/unchanged-answers.ts';
import { addRoutes } from './routes/routes.ts';
import type { ApiServices } from './services.ts';

export interface ServerOptions {
  readonly services: ApiServices;
  readonly logger: FastifyBaseLogger;
  /** The word in `x-<brand>-…` headers (`PARAPET_BRAND`). */
  readonly brand: string;
  /** The prefix under which a proxy serves us, such as `/parapet`; empty for none (`PARAPET_PUBLIC_PREFIX`). */
  readonly publicPrefix: string;
  /** Where people find this service; undefined where nobody said (`PARAPET_PUBLIC_URL`). */
  readonly publicUrl: string | undefined;
  readonly version: string;
  /** What the pages that explain scans are about. */
  readonly guides: GuideOptions;
  /** Proxies whose `X-Forwarded-For` and `-Proto` are believed: CIDRs (`PARAPET_TRUSTED_PROXIES`). */
  readonly trustedProxies: readonly string[];
  /** What else this server serves. */
  readonly add?: (app: Api) => Promise<void>;
}

/** The HTTP server: the signed API, ingest, the reference, and what operators ask. Not listening yet. */
export async function buildServer(options: ServerOptions): Promise<Api> {
  const { services, logger } = options;
  const headerPrefix = `x-${options.brand}-`;
  let admit: Admit;
  const app: Api = fastify({
    loggerInstance: logger,
    logController: new fastify.LogController({ disableRequestLogging: true }),
    // In the log, and in answers to people, who may ask about one.
    genReqId: () => randomUUID(),
    // A slow client may take this long for one request, and no longer.
    requestTimeout: 30_000,
    trustProxy: [...options.trustedProxies],
    ...validation,
    routerOptions: { maxParamLength: 16_384 },
    rewriteUrl: request => withoutPrefix(request.url ?? '/', options.publicPrefix),
    frameworkErrors: (_error, request, reply) => {
      // A path that cannot be decoded has no route, but is authenticated like any other.
      admit(request, reply).then(
        () => answerError(new Refusal('not_found'), request, reply),
        error => answerError(error, request, reply),
      );
    },
    clientErrorHandler: refuseMalformed,
  }).withTypeProvider<TypeBoxTypeProvider>();

  app.setErrorHandler(answerError);
  app.setNotFoundHandler(() => {
    throw new Refusal('not_found');
  });
  operations(app, services);
  admit = signedRequests(app, services, {
    keys: new KeyCache(services.storage.system),
    guard: services.storage.guard,
    headerPrefix,
  });
  unchangedAnswers(app);
  await documentation(app, { version: options.version, headerPrefix });
  await app.register(async pages => {
    pages.addHook('onRequest', async (_request, reply) => void reply.headers(pageHeaders(options.publicUrl)));
    await referencePage(pages as unknown as Api);
    guides(pages as unknown as Api, options.guides);
  });
  addRoutes(app, services);
  await options.add?.(app);
  await app.ready();
  return app;
}

/** What is not HTTP cannot reach a route: it is answered on the socket, in the form of any other error. */
function refuseMalformed(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  if (socket.writable) {
    const { body } = errorAnswer('invalid_body');
    const text = JSON.stringify(body);
    socket.write(
      `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\nConnection: close\r\n\r\n${text}`,
    );
  }
  socket.destroy();
}
