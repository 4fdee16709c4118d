import { onTestFinished } from 'vitest';
import type { WebsiteCapture } from '../../src/captures/website.ts';
import { collectWebsite } from '../../src/surfaces/website/collect.ts';
import type { WebsiteOptions } from '../../src/surfaces/website/session.ts';
import { testAuthority } from './certificates.ts';
import { type httpServer, loopbackGuard, type TestServer } from './website.ts';

/** Trusted by `collect`. */
export const authority = testAuthority();

/** Waits for a server and closes it after the test. */
export async function running<Server extends Pick<TestServer, 'close'>>(
  starting: Promise<Server>,
): Promise<Server> {
  const server = await starting;
  onTestFinished(() => server.close());
  return server;
}

export function collect(host: string, options: Partial<WebsiteOptions> = {}): Promise<WebsiteCapture> {
  return collectWebsite(host, {
    guard: loopbackGuard(),
    signal: AbortSignal.timeout(30_000),
    trustedRoots: [authority.root],
    ...options,
  });
}

export type Handler = Parameters<typeof httpServer>[0];

/** Serves a page at `/` and nothing else. */
export const hello: Handler = (request, response) => {
  response.statusCode = request.url === '/' ? 200 : 404;
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.end('<!doctype html><p>Hello');
};
