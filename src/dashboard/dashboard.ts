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
import { compressAnswers } from './plugins/compress.ts';
import { guardRoutes } from './plugins/guard.ts';
import { servePages } from './plugins/pages.ts';
import { addRoutes } from './routes/routes.ts';
import type { DashboardServices } from './services.ts';

const path = '/dashboard/api';

/** Bytes of a body outside an organization, such as a password, a link token or a passkey response, with room to spare. */
const personalBodyBytes = 16 * 1024;
/** JSON values of such a body. A passkey response has about 20. */
const personalBodyValues = 200;

/** Adds the dashboard pages below `/dashboard/` and their API below `/dashboard/api`. */
export async function addDashboard(app: App, services: DashboardServices): Promise<void> {
  await servePages(app, services);
  // Encapsulated, so that hooks and parsers apply only to these routes.
  await app.register(async scope => {
    scope.addHook('onRequest', async ({ headers }) => {
      if (headers.cookie !== undefined) headers.cookie = ownCookies(headers.cookie, services);
    });
    await scope.register(cookie);
    scope.addContentTypeParser(
      'application/json',
      async (request: FastifyRequest, payload: IncomingMessage) => {
        // Set by the guard for paths within an organization.
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
    compressAnswers(routes);
    addRoutes(routes, services);
    const nowhere = { access: 'anyone', stepUp: { notNeeded: 'Changes nothing.' } } as const;
    routes.all(`${path}/*`, { config: nowhere }, () => {
      throw new Refusal('not_found');
    });
  });
}
