import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { sampleAnswers } from '../../src/main/sample-site/content.ts';

/** A site of the sample organization, which gets better from scan to scan. */
export interface SampleSite {
  /** `localhost:port`, as a source names it. */
  readonly host: string;
  /** How many of its mistakes are mended. */
  mended: number;
  /** Milliseconds that each answer takes. */
  delay: number;
  close(): Promise<void>;
}

/** What is mended one after the other: headers that are set from then on, and paths that are gone. */
const mendings: readonly {
  readonly headers?: http.OutgoingHttpHeaders;
  readonly gone?: readonly string[];
}[] = [
  { gone: ['/backup.sql', '/.DS_Store'] },
  { headers: { 'x-content-type-options': 'nosniff', 'referrer-policy': 'same-origin' } },
  { gone: ['/.git/config', '/.git/HEAD', '/server-status'] },
  { headers: { 'permissions-policy': 'camera=()', 'cross-origin-opener-policy': 'same-origin' } },
  { gone: ['/.env', '/assets/portal.js.map'] },
  {
    headers: {
      'content-security-policy':
        "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'same-origin',
    },
  },
];

/** Plain HTTP on loopback, with the pages of the demonstration's sample site. */
export async function startSampleSite(mended: number): Promise<SampleSite> {
  const server = http.createServer((request, response) => {
    void answer(site, request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const site: SampleSite = {
    host: `localhost:${(server.address() as AddressInfo).port}`,
    mended,
    delay: 0,
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return site;
}

async function answer(
  { mended, delay }: SampleSite,
  request: http.IncomingMessage,
  response: http.ServerResponse,
): Promise<void> {
  await setTimeout(delay);
  const path = (request.url ?? '/').split('?', 1)[0]!;
  const done = mendings.slice(0, mended);
  const gone = done.some(mending => mending.gone?.includes(path));
  const found = gone ? undefined : sampleAnswers.get(path);
  response.writeHead(found ? 200 : 404, {
    server: mended > 2 ? 'nginx' : 'Apache/2.4.29 (Ubuntu)',
    'content-type': found?.type ?? 'text/plain',
    ...(path === '/' && mended < 4 ? { 'set-cookie': 'PHPSESSID=sample0session0id; path=/' } : {}),
    ...Object.assign({}, ...done.map(({ headers }) => headers)),
  });
  response.end(found?.body ?? 'Not found\n');
}
