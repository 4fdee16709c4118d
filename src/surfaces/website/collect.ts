import type {
  Assessment,
  CorsProbe,
  HttpResponse,
  Navigation,
  TlsFacts,
  WebsiteEvidence,
} from '../../evidence/website.ts';
import type { TargetGuard } from '../target-guard.ts';
import { Budget, type BudgetLimits, BudgetSpent, defaultLimits } from './budget.ts';
import { lookUpCaa, type ResolveCaa, resolveCaaBySystem } from './caa.ts';
import { probeCors } from './cors.ts';
import { createRedaction, credentialHeader, type WebsiteCredential } from './credential.ts';
import { probeExposure } from './exposure.ts';
import { errorCodeOf, reasonFor, WebsiteUnreachable } from './failure.ts';
import { HttpClient } from './http-client.ts';
import { navigate, type OriginHeaders } from './navigate.ts';
import { originOf, parseWebsiteHost, type WebsiteTarget } from './target.ts';
import { firstHandshake, type Handshake, protocolSupport, weakCiphers } from './tls.ts';

export interface WebsiteOptions {
  readonly guard: TargetGuard;
  /** Sent to the source's own origin only, and only over HTTPS with a trusted certificate unless the source
   * is an http:// URL. It is never part of the evidence. */
  readonly credential?: WebsiteCredential;
  readonly signal: AbortSignal;
  readonly userAgent?: string;
  /** Certificates in PEM trusted besides the well-known ones, for sites of a private authority. */
  readonly trustedRoots?: readonly string[];
  readonly limits?: BudgetLimits;
  readonly resolveCaa?: ResolveCaa;
}

const defaultUserAgent = 'Parapet/0.1 (+security posture scan)';

/**
 * Collects what the website detectors read: at most 60 GET requests, one at a time, about ten TLS handshakes,
 * 20 seconds and 8 MB.
 *
 * @param host as it is stored on the source; see `parseWebsiteHost` for what each spelling means
 * @throws TargetRefused when the guard refuses the host
 * @throws WebsiteUnreachable when there is nothing to look at
 * @throws the signal's reason when aborted
 */
export async function collectWebsite(host: string, options: WebsiteOptions): Promise<WebsiteEvidence> {
  const session = openSession(host, options);
  try {
    return await collect(host, session, options);
  } finally {
    await session.client.close();
  }
}

/** What collecting and testing share: the target, the budget and the HTTP client. */
export interface Session {
  readonly target: WebsiteTarget;
  readonly budget: Budget;
  readonly client: HttpClient;
  readonly credential: OriginHeaders | null;
}

/** @throws TargetRefused with `invalid_host`; WebsiteUnreachable with `invalid_credential` */
export function openSession(host: string, options: WebsiteOptions): Session {
  options.signal.throwIfAborted();
  const target = parseWebsiteHost(host);
  const budget = new Budget(options.signal, options.limits ?? defaultLimits);
  const client = new HttpClient({
    guard: options.guard,
    budget,
    userAgent: options.userAgent ?? defaultUserAgent,
    trustedRoots: options.trustedRoots ?? [],
    redact: createRedaction(options.credential),
  });
  const home = startUrl(target, target.explicitHttp ? 'http' : 'https');
  const credential =
    options.credential === undefined || home === null
      ? null
      : { origin: home.origin, headers: Object.fromEntries([credentialHeader(options.credential)]) };
  return { target, budget, client, credential };
}

/** The first URL to ask for, or null when the source has no place for this scheme. */
export function startUrl(target: WebsiteTarget, scheme: 'http' | 'https'): URL | null {
  const { hostname, path, https_port, http_port } = target.site;
  const port = scheme === 'https' ? https_port : http_port;
  return port === null ? null : new URL(path, originOf(scheme, hostname, port));
}

async function collect(host: string, session: Session, options: WebsiteOptions): Promise<WebsiteEvidence> {
  const { target, budget, client } = session;
  const collected_at = new Date().toISOString();
  const { site } = target;
  const pinned = await client.pin(site.hostname);
  const roots = options.trustedRoots ?? [];

  const handshake = await attempt(() =>
    site.https_port === null
      ? Promise.reject(noHttps())
      : firstHandshake(pinned, site.https_port, budget, roots),
  );
  options.signal.throwIfAborted();
  const trusted =
    handshake.ok && handshake.value.authorization_error === null && handshake.value.hostname_matches;
  // An untrusted certificate may be someone in between: the credential stays here.
  const credential = trusted || target.explicitHttp ? session.credential : null;

  const https = await httpsNavigation(session, handshake, credential);
  const http = await httpNavigation(session, target.explicitHttp ? credential : null);
  options.signal.throwIfAborted();
  if (!handshake.ok && !(http.assessed && http.value.served)) {
    throw new WebsiteUnreachable(whyUnreachable(handshake.error, site.https_port === null, http));
  }
  const page = finalPage(https, http);
  const cors: Assessment<readonly CorsProbe[]> = page.assessed
    ? { assessed: true, value: await probeCors(client, new URL(page.value.url), credential) }
    : page;
  const tls: Assessment<TlsFacts> = handshake.ok
    ? {
        assessed: true,
        value: {
          ...handshake.value,
          protocols: await protocolSupport(
            pinned,
            site.https_port ?? 443,
            budget,
            handshake.value.negotiated_version,
          ),
          weak_ciphers: await weakCiphers(pinned, site.https_port ?? 443, budget),
        },
      }
    : { assessed: false, reason: reasonFor(handshake.error) };
  const caa = await lookUpCaa(site, options.resolveCaa ?? resolveCaaBySystem);
  const base = exposureOrigin(page, https, http);
  const exposure: WebsiteEvidence['exposure'] =
    base === null
      ? { assessed: false, reason: 'No page of the site answered.' }
      : { assessed: true, value: await probeExposure(client, base, page.assessed ? page.value : null) };
  options.signal.throwIfAborted();
  const used = session.credential === null ? 'none' : credential === null ? 'withheld' : 'sent';
  return {
    collected_at,
    requested_host: host,
    site,
    tls,
    https,
    http,
    page,
    credential: used,
    cors,
    caa,
    exposure,
  };
}

type Attempt<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown };

async function attempt<T>(work: () => Promise<T>): Promise<Attempt<T>> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    return { ok: false, error };
  }
}

function noHttps(): Error {
  return Object.assign(new Error('The source names plain HTTP on a port of its own'), {
    code: 'ECONNREFUSED',
  });
}

async function httpsNavigation(
  session: Session,
  handshake: Attempt<Handshake>,
  credential: OriginHeaders | null,
): Promise<Assessment<Navigation>> {
  const url = startUrl(session.target, 'https');
  if (handshake.ok && url !== null) {
    const found = await navigate(session.client, url, credential);
    // There is TLS; what is behind it did not answer. That is not the same as having no HTTPS.
    return found.assessed && !found.value.served
      ? { assessed: false, reason: 'The server speaks TLS, but did not answer the request.' }
      : found;
  }
  const error = handshake.ok ? noHttps() : handshake.error;
  return speaksNoTls(error)
    ? { assessed: true, value: { served: false, responses: [], stopped: null } }
    : { assessed: false, reason: reasonFor(error) };
}

/** Nothing listens, a firewall drops the packets, or the answer is not TLS. An alert is TLS. */
function speaksNoTls(error: unknown): boolean {
  if (error instanceof BudgetSpent) return false;
  const code = String((error as { code?: unknown }).code ?? '');
  if (code === 'CONNECT_TIMEOUT' || code === 'EPROTO') return true;
  if (
    /^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST|UNSUPPORTED_PROTOCOL)$/.test(code)
  ) {
    return true;
  }
  const errorCode = errorCodeOf(error);
  return errorCode === 'connection_refused' || errorCode === 'connection_failed';
}

/** What servers say to plain HTTP on a port for HTTPS; 497 is nginx's own code for it. */
const plainHttpRefusals = new Set([400, 426, 497]);

async function httpNavigation(
  session: Session,
  credential: OriginHeaders | null,
): Promise<Assessment<Navigation>> {
  const url = startUrl(session.target, 'http');
  if (url === null) return { assessed: false, reason: 'The source has no place for plain HTTP.' };
  const found = await navigate(session.client, url, credential);
  const { https_port, http_port } = session.target.site;
  const status = found.assessed ? found.value.responses[0]?.status : undefined;
  return https_port === http_port && status !== undefined && plainHttpRefusals.has(status)
    ? { assessed: true, value: { served: false, responses: [], stopped: null } }
    : found;
}

function whyUnreachable(tlsError: unknown, plainOnly: boolean, http: Assessment<Navigation>) {
  if (!plainOnly) return errorCodeOf(tlsError);
  return http.assessed ? 'connection_refused' : 'timeout';
}

/** The last document of the visit over HTTPS, or over plain HTTP where there is no HTTPS. */
function finalPage(https: Assessment<Navigation>, http: Assessment<Navigation>): Assessment<HttpResponse> {
  const navigation = https.assessed && https.value.served ? https : http;
  if (!navigation.assessed) return navigation;
  const { responses, stopped } = navigation.value;
  const last = responses.at(-1);
  if (last === undefined) return { assessed: false, reason: 'No page of the site answered.' };
  if (stopped === 'other_site')
    return { assessed: false, reason: 'The site sends visitors to another site.' };
  if (stopped !== null) return { assessed: false, reason: 'The redirects of the site lead nowhere.' };
  return { assessed: true, value: last };
}

/** Where the page is; else where the first answer came from, since files may be there all the same. */
function exposureOrigin(
  page: Assessment<HttpResponse>,
  https: Assessment<Navigation>,
  http: Assessment<Navigation>,
): string | null {
  const navigation = https.assessed && https.value.served ? https : http;
  const first = navigation.assessed ? navigation.value.responses[0] : undefined;
  const url = page.assessed ? page.value.url : first?.url;
  return url === undefined ? null : new URL(url).origin;
}
