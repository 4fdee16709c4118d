import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import type { Api } from '../../http/api.ts';
import type { ApiServices } from '../services.ts';

/** What an operator's tools ask: is it alive, can it serve, how is it doing. Says nothing about any organization. */
export function operations(app: Api, services: ApiServices): void {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: 'parapet_http_requests_total',
    help: 'Requests answered, by method, route and status.',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'parapet_http_request_seconds',
    help: 'Time to answer, by route, in seconds.',
    labelNames: ['route'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });

  app.addHook('onResponse', async (request, reply) => {
    // The route's pattern, not the path: what clients make up must not become labels without end.
    const route = request.routeOptions?.url ?? 'unknown';
    requests.inc({ method: request.method, route, status: reply.statusCode });
    durations.observe({ route }, reply.elapsedTime / 1000);
    request.log.info(
      {
        method: request.method,
        route,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        ...(request.actor ? { [request.actor.kind]: request.actor.id } : {}),
        ...(request.organizationId ? { organization: request.organizationId } : {}),
      },
      'request',
    );
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
  app.get('/metrics', { schema }, async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  );
}
