import type http from 'node:http';
import { makeCertificate } from '../../src/main/sample-site/certificate.ts';
import { sampleAnswers } from '../../src/main/sample-site/content.ts';
import { twoProtocolServer } from '../../test/support/website.ts';

/** A site of the sample organization, which improves from scan to scan. */
export interface SampleSite {
  /** `localhost:port`, the source's host. */
  readonly host: string;
  /** How many of its flaws are fixed. */
  fixed: number;
  close(): Promise<void>;
}

/** The fixes in order: headers that are added, and paths that are removed. */
const fixes: readonly {
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

const day = 86_400_000;

/** HTTPS and plain HTTP on loopback, with the pages of the demo's sample site. */
export async function startSampleSite(fixed: number): Promise<SampleSite> {
  const { certificate, key } = makeCertificate({
    name: 'Harbor View Clinic sample site',
    covers: ['localhost', '127.0.0.1'],
    validFrom: new Date(Date.now() - 100 * day),
    validTo: new Date(Date.now() + 200 * day),
    key: 'ec',
  });
  const listener: http.RequestListener = (request, response) => answer(site, request, response);
  const tls = { cert: certificate, key, minVersion: 'TLSv1.2' } as const;
  const server = await twoProtocolServer(tls, listener, listener);
  const site: SampleSite = { host: `localhost:${server.port}`, fixed, close: () => server.close() };
  return site;
}

function answer({ fixed }: SampleSite, request: http.IncomingMessage, response: http.ServerResponse): void {
  const path = (request.url ?? '/').split('?', 1)[0]!;
  const done = fixes.slice(0, fixed);
  const gone = done.some(mending => mending.gone?.includes(path));
  const found = gone ? undefined : sampleAnswers.get(path);
  response.writeHead(found ? 200 : 404, {
    server: fixed > 2 ? 'nginx' : 'Apache/2.4.29 (Ubuntu)',
    'content-type': found?.type ?? 'text/plain',
    ...(path === '/' && fixed < 4 ? { 'set-cookie': 'PHPSESSID=sample0session0id; path=/' } : {}),
    ...Object.assign({}, ...done.map(({ headers }) => headers)),
  });
  response.end(found?.body ?? 'Not found\n');
}
