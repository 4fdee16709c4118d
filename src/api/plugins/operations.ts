import type { App } from '../../http/app.ts';
import type { Metrics } from '../../http/metrics.ts';
import type { ApiServices } from '../services.ts';

/** The status in logs and metrics where the client closed the connection before the answer, as nginx has it. */
const clientClosedRequest = 499;

/** Counts and logs every request, and says whether the service lives and can serve: what a load balancer asks. */
export function operations(app: App, services: ApiServices, metrics: Metrics): void {
  app.addHook('onRequest', async (request, reply) => {
    // Fastify's `onResponse` does not run where the client closes the connection first.
    reply.raw.once('close', () => {
      // The route's pattern, not the path: what clients make up must not become labels without end.
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
      return reply.code(503).send({ status: 'the database does not answer' });
    }
  });
}
