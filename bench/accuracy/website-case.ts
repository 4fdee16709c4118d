import type http from 'node:http';
import type https from 'node:https';
import { goodHeaders, goodRecords, goodTls, siteName } from '../../test/support/hardened-site.ts';
import type { NameAnswer } from '../../test/support/name-server.ts';
import { scanWebsite, type WebsiteScanOptions } from '../../test/support/scan-website.ts';
import { httpsServer, type TestServer } from '../../test/support/website.ts';
import type { AccuracyCase } from './case.ts';

export interface Answer {
  readonly status?: number;
  readonly headers?: http.OutgoingHttpHeaders;
  readonly body?: string | Buffer;
}

/** Answers by path and query; `*` for all other paths, which otherwise return 404. */
export type Answers = Readonly<Record<string, Answer | string>>;

interface SiteCase extends Omit<AccuracyCase, 'scan'> {
  /** Answers of a hardened site. A text is the body of a page, or a script if its path ends with `.js`. */
  readonly answers?: Answers;
  /** Replace or, if undefined, remove headers of the hardened site. */
  readonly headers?: http.OutgoingHttpHeaders;
  /** Replaces the hardened site. */
  readonly start?: () => Promise<TestServer>;
  /** Replace settings of the hardened site's TLS. */
  readonly tls?: https.ServerOptions;
  readonly records?: Readonly<Record<string, NameAnswer>>;
  readonly options?: WebsiteScanOptions;
  /** As written on the source. Default: the name and the port. */
  readonly host?: (port: number) => string;
}

/** A page as applications have it, with links into the site. */
export const document = (head: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Portal</title>${head}</head><body>${body}
<a href="/">Home</a> <a href="/doctors">Doctors</a> <a href="/privacy">Privacy</a></body></html>`;

const notFound = document('<title>Not found</title>', '<h1>Not found</h1>');

const types: Readonly<Record<string, string>> = {
  css: 'text/css',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
  map: 'application/json',
  mjs: 'text/javascript; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  xml: 'application/xml',
};

/** Answers like a hardened site, but for what differs. */
export function handler(answers: Answers, headers: http.OutgoingHttpHeaders = {}): http.RequestListener {
  const usual = Object.entries({ ...goodHeaders, ...headers }).filter(([, value]) => value !== undefined);
  const all: Answers = { '/': document('', '<h1>Welcome</h1>'), ...answers };
  return (request, response) => {
    const url = request.url ?? '/';
    const found = all[url] ?? all[url.split('?', 1)[0]!] ?? all['*'] ?? { status: 404, body: notFound };
    const {
      status = 200,
      headers: own = {},
      body = '',
    } = typeof found === 'string' ? { body: found } : found;
    const type = types[/\.(\w{2,4})(?:\?|$)/.exec(url)?.[1] ?? ''];
    const fitting = type === undefined || status !== 200 ? {} : { 'content-type': type };
    const sent = { ...Object.fromEntries(usual), ...fitting, ...own };
    response.writeHead(
      status,
      Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined)),
    );
    response.end(request.method === 'HEAD' ? undefined : body);
  };
}

/** Checks above info that fail on a server without TLS and headers, where the case is not about them. */
export const plainServer: readonly string[] = [
  ...['transport.no_https', 'transport.no_redirect', 'csp.missing', 'headers.framing_unrestricted'],
  ...['headers.nosniff_missing', 'headers.referrer_policy', 'headers.permissions_policy_missing'],
  ...['headers.cross_origin_isolation', 'headers.version_banner', 'page.error_details'],
  ...['hipaa.no_privacy_notice', 'page.private_address'],
];

/** A case whose target is a website over HTTPS: the hardened one, but for what differs. */
export function websiteCase(site: SiteCase): AccuracyCase {
  const { answers = {}, headers, start, tls, records = {}, options = {}, host, ...rest } = site;
  return {
    ...rest,
    scan: async depth => {
      const server = await (start?.() ?? httpsServer({ ...goodTls, ...tls }, handler(answers, headers)));
      try {
        const at = host?.(server.port) ?? `${siteName}:${server.port}`;
        return await scanWebsite(at, { ...goodRecords, ...records }, { ...options, depth });
      } finally {
        await server.close();
      }
    },
  };
}
