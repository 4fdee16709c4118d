import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorCatalogue } from '../../contract/errors.ts';
import type { Tracer } from '../../domain/tracing.ts';
import type { App } from '../../http/app.ts';
import { describeRefusal } from '../../http/describe-refusal.ts';
import type { OnMalformed } from '../../http/malformed-requests.ts';
import type { Metrics } from '../../http/metrics.ts';
import type { ReadinessStatus } from '../../http/readiness.ts';
import type { RefusalLog } from '../../http/refusal-log.ts';

/** The nginx status for a client that closed the connection before the answer, in logs and metrics. */
const clientClosedRequest = 499;

/** Names a request in its answer, and logs and counts it when it ends. */
type Observe = (request: FastifyRequest, reply: FastifyReply) => void;

/**
 * Logs and counts every request, and serves health checks for load balancers.
 *
 * @returns what no hook does for a path that cannot be decoded
 */
export function operations(
  app: App,
  readiness: () => Promise<ReadinessStatus>,
  metrics: Metrics,
  refusals: RefusalLog,
  tracer?: Tracer,
): Observe {
  const observe: Observe = (request, reply) => {
    // Before all other headers, so that every 401 has the same ones in the same order.
    void reply.header('x-request-id', request.id);
    // The trace of a client is not continued: anyone can send one.
    const route = request.routeOptions?.url ?? 'unknown';
    request.span = tracer?.start(`${request.method} ${route}`, { kind: 'server' });
    // Fastify's `onResponse` does not run if the client closes the connection first.
    reply.raw.once('close', () => record(request, reply, metrics, refusals));
  };
  app.decorateRequest('refused', undefined);
  app.decorateRequest('span', undefined);
  app.addHook('onRequest', async (request, reply) => observe(request, reply));
  app.addHook('onClose', async () => refusals.report());

  const schema = { hide: true } as object;
  app.get('/healthz', { schema }, async () => ({ status: 'ok' }));
  app.get('/readyz', { schema }, async (_request, reply) => {
    const status = await readiness();
    return reply.code(status === 'ready' ? 200 : 503).send({ status });
  });
  return observe;
}

function record(request: FastifyRequest, reply: FastifyReply, metrics: Metrics, refusals: RefusalLog): void {
  // The route pattern, not the path: clients could create unlimited metric labels.
  const route = request.routeOptions?.url ?? 'unknown';
  const { method, actor, organizationId, refused } = request;
  const status = reply.raw.writableFinished ? reply.statusCode : clientClosedRequest;
  request.span?.end(
    {
      'http.request.method': method,
      'http.route': route,
      'http.response.status_code': status,
      'parapet.request_id': request.id,
    },
    status >= 500 ? 'request_failed' : undefined,
  );
  metrics.requests.inc({ method, route, status });
  metrics.durations.observe({ route }, reply.elapsedTime / 1000);
  const fields = {
    method,
    route,
    status,
    ms: Math.round(reply.elapsedTime * 10) / 10,
    ...(actor ? { [actor.kind]: actor.id } : {}),
    ...(organizationId ? { organization_id: organizationId } : {}),
  };
  if (!refused) {
    request.log.info(fields, 'request');
    return;
  }
  const { reason } = refused;
  const described = { ...fields, ...refused.fields, address: request.ip };
  refusals.refuse({ reason, status, isKnown: Boolean(actor), fields: described }, request.log);
}

/** Logs requests that are refused before they have a method or a route. */
export function logMalformed(refusals: RefusalLog): OnMalformed {
  return ({ code, requestId, socket }) => {
    const because = code === 'unauthorized' ? ({ reason: 'malformed' } as const) : undefined;
    const { reason, fields } = describeRefusal(code, { details: {}, because })!;
    const described = { request_id: requestId, ...fields, address: socket.remoteAddress };
    refusals.refuse({ reason, status: errorCatalogue[code].status, isKnown: false, fields: described });
  };
}
