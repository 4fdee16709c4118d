import type { Assessment } from '../../captures/assessment.ts';
import { deepExposurePaths } from '../../captures/deep-exposure-paths.ts';
import { choosePaths } from '../../captures/exposure-paths.ts';
import type { ExposurePath } from '../../captures/listed-paths.ts';
import type { OriginKind } from '../../captures/origin-kinds.ts';
import type { TlsFacts } from '../../captures/tls.ts';
import type {
  DomainRecords,
  ExposureProbe,
  HeaderList,
  HttpResponse,
  Navigation,
  WebsiteCapture,
} from '../../captures/website.ts';
import type { Controls } from './path-answer.ts';

/** The capture of a site for which no check fails; golden cases change one part. */

export const seen = <T>(value: T): Assessment<T> => ({ assessed: true, value });
export const notSeen = (reason = 'The server did not answer in time.') => ({
  assessed: false as const,
  reason,
});

const hardenedHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'content-security-policy':
    "default-src 'self'; script-src 'none'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
  server: 'nginx',
};

const hardenedBody =
  '<!doctype html><html lang="en"><head><title>Portal</title></head><body>Hello</body></html>';

/**
 * Header fields of the hardened page with changes: null removes one, a list repeats one.
 */
export function headersWith(
  changes: Readonly<Record<string, string | readonly string[] | null>>,
): HeaderList {
  const merged: Record<string, string | readonly string[] | null> = { ...hardenedHeaders, ...changes };
  return Object.entries(merged).flatMap(([name, value]) =>
    value === null ? [] : [value].flat().map(one => [name, one] as const),
  );
}

export function response(url: string, changes: Partial<HttpResponse> = {}): HttpResponse {
  return {
    method: 'GET',
    url,
    status: 200,
    headers: headersWith({}),
    body: hardenedBody,
    body_truncated: false,
    body_unread: null,
    ...changes,
  };
}

export const home = 'https://portal.example.com/';
export const plainHome = 'http://portal.example.com/';

export function redirect(from: string, to: string): HttpResponse {
  return response(from, { status: 301, headers: [['location', to]], body: '' });
}

export function navigation(...responses: HttpResponse[]): Assessment<Navigation> {
  return seen({ served: responses.length > 0, responses, stopped: null });
}

/** @param isComplete whether suites were offered until the server refused */
export function weakCiphers(chosen: readonly string[] = [], isComplete = true): TlsFacts['weak_ciphers'] {
  return seen({ chosen, is_complete: isComplete });
}

const tls: TlsFacts = {
  negotiated_version: 'TLSv1.3',
  negotiated_cipher: 'TLS_AES_256_GCM_SHA384',
  protocols: [
    { version: 'TLSv1', support: 'refused' },
    { version: 'TLSv1.1', support: 'refused' },
    { version: 'TLSv1.2', support: 'accepted' },
    { version: 'TLSv1.3', support: 'accepted' },
  ],
  weak_ciphers: weakCiphers(),
  ...{ dh_bits: seen(null), has_timestamps: seen(true), further_hosts: [] },
  ...{ publicly_trusted: true, stapled: false },
  chain: [
    {
      subject: 'CN=portal.example.com',
      issuer: 'CN=Example Issuing CA',
      subject_alt_names: ['DNS:portal.example.com'],
      not_before: '2026-10-01T00:00:00.000Z',
      not_after: '2027-01-15T00:00:00.000Z',
      key_type: 'ec',
      key_bits: 256,
      signature_algorithm: 'sha256WithRSAEncryption',
      self_signed: false,
      names_issuer_location: true,
      must_staple: false,
      has_timestamps: true,
    },
    {
      subject: 'CN=Example Issuing CA',
      issuer: 'CN=Example Root CA',
      subject_alt_names: [],
      not_before: '2020-01-01T00:00:00.000Z',
      not_after: '2035-01-01T00:00:00.000Z',
      key_type: 'rsa',
      key_bits: 2048,
      signature_algorithm: 'sha256WithRSAEncryption',
      self_signed: false,
      names_issuer_location: true,
      must_staple: false,
      has_timestamps: false,
    },
  ],
  hostname_matches: true,
  authorization_error: null,
};

/** TLS facts of the hardened site with changes. */
export function tlsWith(changes: Partial<TlsFacts>): Assessment<TlsFacts> {
  return seen({ ...tls, ...changes });
}

/** The hardened site's own certificate with changes, in its chain. */
export function certificateWith(changes: Partial<TlsFacts['chain'][number]>): TlsFacts['chain'] {
  const [leaf, ...issuers] = tls.chain;
  return [{ ...leaf!, ...changes }, ...issuers];
}

function notFound(url: string): HttpResponse {
  return response(url, { status: 404, body: '<!doctype html><title>Not found</title>' });
}

const securityTxt = 'Contact: mailto:security@example.com\nExpires: 2027-10-01T00:00:00.000Z\n';

function hardenedProbe({ path, kind }: ExposurePath): ExposureProbe {
  const url = new URL(path, home).href;
  const answer =
    path === '/.well-known/security.txt'
      ? response(url, { headers: [['content-type', 'text/plain; charset=utf-8']], body: securityTxt })
      : notFound(url);
  return { path, kind, response: seen(answer) };
}

/** Built once, because there are many and every capture has them. */
const hardenedProbes = [
  ...new Map(
    [...choosePaths(new Set(), 36), ...deepExposurePaths('portal.example.com')].map(one => [one.path, one]),
  ).values(),
].map(hardenedProbe);

/**
 * The hardened site's responses for paths that do not exist, with changes, and with further changes at the
 * end.
 */
export function controlsWith(changes: Partial<HttpResponse>, after: Partial<HttpResponse> = {}): Controls {
  return {
    control: seen({ ...notFound(`${home}0123456789abcdef`), ...changes }),
    control_after: seen({ ...notFound(`${home}fedcba9876543210`), ...changes, ...after }),
  };
}

/** Exposure probes of the hardened site, with changed responses by path. */
export function exposureWith(
  answers: Readonly<Record<string, Partial<HttpResponse> | 'not seen'>>,
  control: Partial<HttpResponse> = {},
): WebsiteCapture['exposure'] {
  const probes = hardenedProbes.map(probe => {
    const answer = answers[probe.path];
    if (answer === undefined) return probe;
    const url = new URL(probe.path, home).href;
    return {
      ...probe,
      response: answer === 'not seen' ? notSeen() : seen(response(url, { headers: [], body: '', ...answer })),
    };
  });
  return seen({
    origin: 'https://portal.example.com',
    ...controlsWith(control),
    probes,
    left_out: [],
    elsewhere: [],
  });
}

export const corsOrigins: Readonly<Record<OriginKind, string>> = {
  foreign: 'https://1234567890ab.example',
  similar: 'https://portal.example.com.1234567890abexample.com',
  lookalike: 'https://portal.example.com.1234567890ab.example',
  suffix: 'https://1234567890abexample.com',
  dot: 'https://portalxexample.com',
  subdomain: 'https://1234567890ab.example.com',
  plain_http: 'http://portal.example.com',
  localhost: 'http://localhost:3000',
  null: 'null',
};

/** Responses to the probes, in this order: foreign, null, lookalike. */
export function corsProbes(
  ...headers: [foreign: HeaderList, none?: HeaderList, lookalike?: HeaderList]
): WebsiteCapture['cors'] {
  const kinds: readonly OriginKind[] = ['foreign', 'null', 'lookalike'];
  return seen(
    kinds.map((origin_kind, index) => ({
      target: 'page' as const,
      origin_kind,
      origin: corsOrigins[origin_kind],
      response: seen(response(home, { headers: headers[index] ?? headersWith({}) })),
    })),
  );
}

/** Records of the hardened site's domain with changes. */
export function domainWith(changes: Partial<DomainRecords>): WebsiteCapture['domain'] {
  return seen({
    domain: 'example.com',
    spf: seen(['v=spf1 mx -all']),
    dmarc: seen(['v=DMARC1; p=reject; rua=mailto:dmarc@example.com']),
    mail_exchangers: seen(['mail.example.com']),
    signed: seen(true),
    ...changes,
  });
}

/** A response to OPTIONS with this Allow header. */
export function optionsAnswer(allow: string): HttpResponse {
  return response(home, { method: 'OPTIONS', status: 204, headers: [['allow', allow]], body: '' });
}

/** The hardened site's capture with some of its parts replaced. */
export function captureWith(changes: Partial<WebsiteCapture> = {}): WebsiteCapture {
  return {
    collected_at: '2026-11-21T08:00:00.000Z',
    requested_host: 'portal.example.com',
    depth: 'safe',
    site: { hostname: 'portal.example.com', is_address: false, path: '/', https_port: 443, http_port: 80 },
    tls: seen(tls),
    https: navigation(response(home)),
    http: navigation(redirect(plainHome, home), response(home)),
    page: seen(response(home)),
    credential: 'none',
    scripts: seen([]),
    texts: seen([]),
    open_secrets: [],
    revisited: seen([]),
    gone_pages: [],
    cors: corsProbes(headersWith({})),
    caa: seen({ found_at: 'example.com', records: ['issue ca.example'] }),
    domain: domainWith({}),
    exposure: exposureWith({}),
    methods: seen({
      url: home,
      options: seen(optionsAnswer('GET, HEAD, OPTIONS')),
      trace: seen({ status: 405, echoes: false }),
    }),
    injections: seen({ probes: [], left_out: null }),
    reflections: seen([]),
    ...changes,
  };
}

/** The hardened site with responses at paths: a text is the body of one. @param control the response for a path that does not exist */
export function answering(
  answers: Readonly<Record<string, string | Partial<HttpResponse>>>,
  control: Partial<HttpResponse> = {},
): WebsiteCapture {
  const responses = Object.entries(answers).map(
    ([path, answer]) => [path, typeof answer === 'string' ? { body: answer } : answer] as const,
  );
  return captureWith({ exposure: exposureWith(Object.fromEntries(responses), control) });
}

/** The hardened site with another page, on both the page itself and the visit that led to it. */
export function pageWith(changes: Partial<HttpResponse>): WebsiteCapture {
  const page = response(home, changes);
  const headers = page.headers.filter(([name]) => name === 'content-type');
  const answer = seen(response(home, { ...changes, headers }));
  const cors = seen([
    {
      target: 'page' as const,
      origin_kind: 'foreign' as const,
      origin: corsOrigins.foreign,
      response: answer,
    },
  ]);
  return captureWith({ page: seen(page), https: navigation(page), cors });
}
