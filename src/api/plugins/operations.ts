import type { App } from '../../http/app.ts';
import type { Metrics } from '../../http/metrics.ts';
import type { ApiServices } from '../services.ts';

/** The nginx status for a client that closed the connection before the answer, in logs and metrics. */
const clientClosedRequest = 499;

/** Logs and counts every request, and serves health checks for load balancers. */
export function operations(app: App, services: ApiServices, metrics: Metrics): void {
  app.addHook('onRequest', async (request, reply) => {
    // Fastify's `onResponse` does not run if the client closes the connection first.
    reply.raw.once('close', () => {
      // The route pattern, not the path: clients could create unlimited metric labels.
      const route = request.routeOptions?.url ?? 'unknown';
      const status = reply.raw.writableFinished ? reply.statusCode : clientClosedRequest;
      metrics.requests.inc({ method: request.method, route, status });
      metrics.durations.observe({ route }, reply.elapsedTime / 1000);
      request.log.info(
        {
          method: request.method,
          route,
          status,
          ms: Math.round(reply.elapsedTime * 10) / 10,
          ...(request.actor ? { [request.actor.kind]: request.actor.id } : {}),
          ...(request.organizationId ? { organization: request.organizationId } : {}),
        },
        'request',
      );
    });
  });

  const schema = { hide: true } as object;
  app.get('/healthz', { schema }, async () => ({ status: 'ok' }));
  app.get('/readyz', { schema }, async (_request, reply) => {
    try {
      await services.storage.system.ping();
      return { status: 'ready' };
    } catch {
      return reply.code(503).send({ status: 'database unavailable' });
    }
  });
}
