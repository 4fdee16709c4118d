import type { IncomingMessage } from 'node:http';
import cookie from '@fastify/cookie';
import type { FastifyRequest } from 'fastify';
import { limits } from '../contract/limits.ts';
import { Refusal } from '../domain/refusal.ts';
import type { App } from '../http/app.ts';
import { closeQueries } from '../http/closed-queries.ts';
import { parseJson } from '../http/parse-json.ts';
import { readBytes } from '../http/read-bytes.ts';
import { bodyTurn, largeBodyTurn } from '../http/share-turns.ts';
import { ownCookies } from './cookies.ts';
import { guardRoutes } from './plugins/guard.ts';
import { servePages } from './plugins/pages.ts';
import { addRoutes } from './routes/routes.ts';
import type { DashboardServices } from './services.ts';

const path = '/dashboard/api';

/** Bytes of a body outside of an organization: a password, a token of a link or a passkey's answer, each with room. */
const personalBodyBytes = 16 * 1024;
/** Its values: an answer of a passkey has some twenty. */
const personalBodyValues = 200;

/** Adds the dashboard's pages, below `/dashboard/`, and what they talk to, below `/dashboard/api`. */
export async function addDashboard(app: App, services: DashboardServices): Promise<void> {
  await servePages(app, services);
  // A context of its own: hooks and parsers hold for these routes alone.
  await app.register(async scope => {
    scope.addHook('onRequest', async ({ headers }) => {
      if (headers.cookie !== undefined) headers.cookie = ownCookies(headers.cookie, services);
    });
    await scope.register(cookie);
    scope.addContentTypeParser(
      'application/json',
      async (request: FastifyRequest, payload: IncomingMessage) => {
        // The guard has set it, where the path has one.
        const { organizationId, session } = request;
        const limit = organizationId ? limits.bodyBytes : personalBodyBytes;
        if (Number(request.headers['content-length'] ?? 0) > limit) throw new Refusal('payload_too_large');
        const body = await readBytes(payload, limit);
        await bodyTurn(payload, body.length, session ? 'known' : 'unknown');
        if (organizationId) await largeBodyTurn(payload, body.length, request);
        if (body.length === 0) return undefined;
        return organizationId ? parseJson(body) : parseJson(body, personalBodyValues);
      },
    );
    const routes = scope as unknown as App;
    closeQueries(routes);
    guardRoutes(routes, services);
    addRoutes(routes, services);
    const nowhere = { access: 'anyone', stepUp: { notNeeded: 'Changes nothing.' } } as const;
    routes.all(`${path}/*`, { config: nowhere }, () => {
      throw new Refusal('not_found');
    });
  });
}
