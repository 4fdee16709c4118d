import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { FastifyReply } from 'fastify';
import { installedFile } from '../../domain/installed-file.ts';
import { Refusal } from '../../domain/refusal.ts';
import { answerError } from '../../http/answer-errors.ts';
import type { App } from '../../http/app.ts';
import { keptFor } from '../../http/kept-for.ts';
import { pageHeaders } from '../../http/page-headers.ts';
import { BuiltFiles } from '../built-files.ts';
import { earlyLoads, readBuiltRoutes } from '../early-loads.ts';
import type { DashboardServices } from '../services.ts';

type PageOptions = Pick<DashboardServices, 'publicPrefix' | 'publicUrl' | 'brand' | 'storage'>;

const ofFiles = ['content-encoding', 'content-type', 'vary'];

/** Maximum characters of a page address with its filters. */
const longestAddress = 4_096;

/** Output folder of `npm run build`. */
const built = fileURLToPath(installedFile('dist/web/'));

/**
 * Serves the built pages below `/dashboard/`. Assets have a content hash in their name and are cached indefinitely. All other
 * page addresses receive the same page, which routes on the client.
 */
export async function servePages(app: App, options: PageOptions) {
  const home = `${options.publicPrefix}/dashboard/`;
  const always = pageHeaders(options.publicUrl);
  const hidden = { schema: { hide: true } as object };

  // Encapsulated, so that the headers apply only to these responses.
  await app.register(async scope => {
    scope.addHook('onRequest', async (request, reply) => {
      reply.headers(always);
      if (request.url.length > longestAddress) throw new Refusal('not_found');
    });
    scope.setErrorHandler((error: Error, request, reply) => {
      // Headers of the file, above all caching, must not apply to the error.
      for (const name of ofFiles) reply.removeHeader(name);
      answerError(options.storage.outages, error, request, reply);
    });
    const [assets, others] = [new BuiltFiles(`${built}assets/`), new BuiltFiles(built)];
    scope.get<{ Params: { '*': string } }>('/dashboard/assets/*', hidden, async (request, reply) =>
      assets.send(request, reply, request.params['*'], 'public, max-age=31536000, immutable'),
    );
    for (const name of ['favicon.svg', 'color-scheme.js']) {
      scope.get(`/dashboard/${name}`, hidden, async (request, reply) =>
        others.send(request, reply, name, 'public, max-age=3600'),
      );
    }
    let former: string | undefined;
    // A running service picks up the pages of a new build.
    const page = keptFor(1_000, async () => {
      const text = await readFile(`${built}page.html`, 'utf8').catch(() => undefined);
      if (text !== former) for (const files of [assets, others]) files.forget();
      former = text;
      return { text, routes: await readBuiltRoutes(built) };
    });
    scope.get('/', hidden, async (_request, reply) => reply.redirect(home));
    scope.get('/dashboard', hidden, async (_request, reply) => reply.redirect(home));
    scope.get<{ Params: { '*': string } }>('/dashboard/*', hidden, async (request, reply) => {
      // A missing file must not return a page, which the browser would execute as the script that it requested.
      const path = request.params['*'];
      const isFile = path.slice(path.lastIndexOf('/') + 1).includes('.');
      if (isFile || path === 'api') throw new Refusal('not_found');
      const { text, routes } = await page();
      const address = request.url.slice(request.url.indexOf('/dashboard/') + '/dashboard/'.length);
      const early = earlyLoads(routes, address, request.headers.cookie !== undefined);
      const shown = text
        ?.replace('</head>', `${early.links}</head>`)
        .replace('<div id="root">', `${early.header}<div id="root">`);
      return sendPage(reply, shown, home, options.brand);
    });
  });
}

function sendPage(reply: FastifyReply, page: string | undefined, home: string, brand: string): FastifyReply {
  if (page === undefined) {
    return reply
      .code(503)
      .type('text/plain; charset=utf-8')
      .send('The dashboard pages are not built. Run npm run build.');
  }
  const nonce = randomBytes(16).toString('base64');
  return reply
    .headers({ 'content-security-policy': contentSecurityPolicy(nonce), 'cache-control': 'no-store' })
    .type('text/html; charset=utf-8')
    .send(
      page
        .replace('<base href="/dashboard/">', `<base href="${home}">`)
        .replace('name="parapet-brand" content="service"', `name="parapet-brand" content="${brand}"`)
        .replace('%NONCE%', nonce),
    );
}

/** Scripts load from this origin only. The nonce allows the style elements that Mantine inserts. */
function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}
