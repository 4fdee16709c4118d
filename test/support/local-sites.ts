import type http from 'node:http';
import { testCertificate } from './certificates.ts';
import { httpServer, httpsServer, type TestServer } from './website.ts';

/** The kinds of sites. Each makes a scan do different work. */
export const siteKinds = ['hardened', 'shop', 'application', 'legacy'] as const;
export type SiteKind = (typeof siteKinds)[number];

export interface LocalSite {
  readonly kind: SiteKind;
  /** As a source's host. */
  readonly url: string;
}

export interface LocalSiteOptions {
  /** Delay of each answer, as if the site were far away. */
  readonly delayMs?: number;
  readonly onRequest?: (kind: SiteKind, path: string) => void;
}

/** Websites on loopback, each on its own port, the kinds in turn. */
export async function startLocalSites(
  count: number,
  { delayMs = 0, onRequest = () => {} }: LocalSiteOptions = {},
): Promise<{ sites: LocalSite[]; close(): Promise<void> }> {
  const { certificate, key } = testCertificate();
  const servers: TestServer[] = [];
  const sites: LocalSite[] = [];
  for (let index = 0; index < count; index += 1) {
    const kind = siteKinds[index % siteKinds.length]!;
    const encrypted = kind === 'hardened' || kind === 'shop';
    const handler: http.RequestListener = (request, response) => {
      onRequest(kind, request.url!);
      if (delayMs === 0) handlers[kind](request, response);
      else setTimeout(() => handlers[kind](request, response), delayMs);
    };
    const server = encrypted
      ? await httpsServer({ cert: certificate, key }, handler)
      : await httpServer(handler);
    servers.push(server);
    sites.push({ kind, url: `${encrypted ? 'https' : 'http'}://127.0.0.1:${server.port}/` });
  }
  return { sites, close: async () => void (await Promise.all(servers.map(server => server.close()))) };
}

/** Resembles a minified bundle: names, strings and numbers in the proportions of real code. */
function bundleOf(bytes: number, banner = ''): string {
  let seed = 7;
  const next = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % below;
  };
  const name = () => 'abcdefghijklmnopqrstuvwxyz'[next(26)]! + (next(4) === 0 ? String(next(100)) : '');
  const parts = [banner];
  for (let length = banner.length; length < bytes; ) {
    const statement = [
      `function ${name()}(${name()},${name()}){return ${name()}.${name()}(${next(1000)})?"${name()}-${next(99)}":${name()}[${next(9)}]}`,
      `const ${name()}={${name()}:"/static/${name()}/${next(999)}.svg",${name()}:!0,${name()}:e=>e&&e.target.value};`,
      `if(${name()}&&${name()}.length>${next(50)}){for(let ${name()} of ${name()})t.push({key:"k${next(9999)}",value:${next(1e6)}})}`,
    ][next(3)]!;
    parts.push(statement);
    length += statement.length;
  }
  return parts.join('').slice(0, bytes);
}

const jquery = bundleOf(90_000, '/*! jQuery v1.12.4 | (c) jQuery Foundation | jquery.org/license */\n');
const bundles = ['/assets/vendor.js', '/assets/main.js', '/assets/forms.js'];
const bundle = bundleOf(400_000);

const html = (head: string, body: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Site</title>${head}</head><body>${body}</body></html>`;

const paragraph = '<p>A clinic, a shop and a bakery walk into a data center, and each orders a rack.</p>\n';

function answer(response: http.ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) }).end(body);
}

const text = 'text/html; charset=utf-8';
const script = 'text/javascript; charset=utf-8';

const handlers: Record<SiteKind, http.RequestListener> = {
  hardened: (request, response) => {
    for (const [name, value] of Object.entries(hardenedHeaders)) response.setHeader(name, value);
    if (request.url === '/') answer(response, 200, text, html('', paragraph.repeat(40)));
    else answer(response, 404, text, html('', 'Not found'));
  },
  shop: (request, response) => {
    response.setHeader('set-cookie', ['sessionid=abc; Path=/', 'cart=1']);
    if (request.url === '/js/jquery.js') return answer(response, 200, script, jquery);
    if (request.url !== '/') return answer(response, 404, text, html('', 'Not found'));
    const head =
      '<script src="/js/jquery.js"></script><script src="https://cdn.example.net/widget.js"></script>';
    const form = '<form action="/order" method="post"><input name="email"><input type="password"></form>';
    answer(response, 200, text, html(head, form + paragraph.repeat(300)));
  },
  application: (request, response) => {
    if (bundles.includes(request.url!)) return answer(response, 200, script, bundle);
    // Every path returns the application: a soft 404.
    const head = bundles.map(path => `<script src="${path}" defer></script>`).join('');
    answer(response, 200, text, html(head, '<div id="root"></div>'));
  },
  legacy: (request, response) => {
    response.setHeader('server', 'Apache/2.2.15 (CentOS)').setHeader('x-powered-by', 'PHP/5.3.3');
    if (request.url === '/.env') {
      return answer(response, 200, 'text/plain', 'APP_ENV=production\nDB_PASSWORD=not-a-real-one\n');
    }
    if (request.url !== '/') return answer(response, 404, text, html('', 'Not found'));
    answer(response, 200, text, html('', '<h1>Index of /</h1><a href="../">Parent Directory</a>'));
  },
};

const hardenedHeaders = {
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'content-security-policy':
    "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-resource-policy': 'same-origin',
};
