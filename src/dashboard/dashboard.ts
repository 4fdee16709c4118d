import cookie from '@fastify/cookie';
import { limits } from '../contract/limits.ts';
import { Refusal } from '../domain/refusal.ts';
import type { Api } from '../http/api.ts';
import { parseJson } from '../http/parse-json.ts';
import { guardRoutes } from './plugins/guard.ts';
import { servePages } from './plugins/pages.ts';
import { addRoutes } from './routes/routes.ts';
import type { DashboardServices } from './services.ts';

const path = '/dashboard/api';

/** Adds the dashboard's pages, below `/dashboard/`, and what they talk to, below `/dashboard/api`. */
export async function addDashboard(app: Api, services: DashboardServices): Promise<void> {
  await servePages(app, services);
  // A context of its own: hooks and parsers hold for these routes alone.
  await app.register(async scope => {
    await scope.register(cookie);
    const bodyLimit = limits.bodyBytes;
    scope.addContentTypeParser(
      'application/json',
      { parseAs: 'buffer', bodyLimit },
      async (_request: unknown, body: string | Buffer) =>
        body.length === 0 ? undefined : parseJson(body as Buffer),
    );
    const routes = scope as unknown as Api;
    guardRoutes(routes, services);
    addRoutes(routes, services);
    const nowhere = { access: 'anyone', stepUp: { notNeeded: 'Changes nothing.' } } as const;
    routes.all(`${path}/*`, { config: nowhere }, () => {
      throw new Refusal('not_found');
    });
  });
}
