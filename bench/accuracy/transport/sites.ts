import type http from 'node:http';
import { goodTls, siteName } from '../../../test/support/hardened-site.ts';
import { authority } from '../../../test/support/scan-website.ts';
import { httpServer, httpsServer, twoProtocolServer } from '../../../test/support/website.ts';
import type { AccuracyCase } from '../case.ts';
import { type Answers, document, handler, plainServer, websiteCase } from '../website-case.ts';

export const redirecting =
  (to: (request: http.IncomingMessage) => string, status = 301): http.RequestListener =>
  (request, response) =>
    void response.writeHead(status, { location: to(request) }).end();
export const toHttps = (request: http.IncomingMessage) => `https://${request.headers.host}${request.url}`;

/** HTTPS and plain HTTP on one port. */
export const bothCase = (
  name: string,
  { secure = handler({}), plain }: { secure?: http.RequestListener; plain: http.RequestListener },
  flaws: readonly string[],
  also: readonly string[] = [],
): AccuracyCase =>
  websiteCase({
    name,
    flaws: flaws.map(flaw => `transport.${flaw}`),
    also,
    start: () => twoProtocolServer(goodTls, secure, plain),
  });

/** A site without HTTPS. */
export const plainCase = (
  name: string,
  answers: Answers,
  flaws: readonly string[],
  also: readonly string[] = [],
): AccuracyCase =>
  websiteCase({
    name,
    flaws: flaws.map(flaw => `transport.${flaw}`),
    also: [...plainServer, ...also],
    start: () => httpServer(handler(answers)),
    host: port => `http://${siteName}:${port}/`,
  });

/** A page over HTTPS with other markup. */
export const pageCase = (
  name: string,
  markup: string,
  flaws: readonly string[],
  policy?: string,
): AccuracyCase =>
  websiteCase({
    name,
    answers: { '/': document('', markup) },
    headers: { 'content-security-policy': policy ?? open },
    flaws: flaws.map(flaw => `transport.${flaw}`),
    also: [
      'csp.missing',
      'csp.broad_source',
      'page.no_integrity',
      'csp.unsafe_inline',
      'page.script_without_integrity',
    ],
  });

/** Allows other sites, so that the markup has an effect. */
export const open =
  "default-src * 'unsafe-inline'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** A site under another name. */
export const namedCase = (
  name: string,
  host: string,
  hsts: string | undefined,
  flaws: readonly string[],
): AccuracyCase => {
  const { key, chain } = authority.issue({ covers: [host] });
  return websiteCase({
    name,
    tls: { key, cert: chain },
    headers: { 'strict-transport-security': hsts },
    host: port => `${host}:${port}`,
    also: ['mail.spf_missing', 'mail.dmarc_missing'],
    flaws: flaws.map(flaw => `transport.${flaw}`),
  });
};

/** The site redirects to www. @param apex the value of HSTS of each */
export const wwwCase = (
  name: string,
  { apex, www }: { apex?: string; www?: string },
  flaws: readonly string[],
): AccuracyCase => {
  const { key, chain } = authority.issue({ covers: [siteName, `www.${siteName}`] });
  return websiteCase({
    name,
    flaws: flaws.map(flaw => `transport.${flaw}`),
    start: () =>
      httpsServer({ ...goodTls, key, cert: chain }, (request, response) => {
        const { host = '' } = request.headers;
        const isWww = host.startsWith('www.');
        const moved = { status: 301, headers: { location: `https://www.${host}/` } };
        const hsts = isWww ? www : apex;
        handler(isWww || request.url !== '/' ? {} : { '/': moved }, { 'strict-transport-security': hsts })(
          request,
          response,
        );
      }),
  });
};
