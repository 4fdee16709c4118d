import { getServers } from 'node:dns';
import { type Assessment, notAssessed } from '../../captures/assessment.ts';
import type { ExposureKind, ExposurePath } from '../../captures/listed-paths.ts';
import { secretAt } from '../../captures/places.ts';
import { readTags } from '../../captures/read-tags.ts';
import type { HttpResponse, WebsiteCapture, WebsiteSite } from '../../captures/website.ts';
import type { PinnedAddress } from '../connection/target-guard.ts';
import { apiEndpoints } from './api-endpoints.ts';
import type { Budget } from './budget.ts';
import { lookUpCaa, resolveCaaBySystem } from './caa.ts';
import { probeEndpoints, probePage } from './cors.ts';
import { lookUpDomain } from './domain-records.ts';
import { probeElsewhere } from './elsewhere.ts';
import { ExposureProbing } from './exposure.ts';
import { errorCodeOf, isMomentary, SiteDeclines, WebsiteUnreachable } from './failure.ts';
import { furtherTexts } from './further-texts.ts';
import { gonePages } from './gone-pages.ts';
import { namedEndpoints } from './graphql.ts';
import { explained } from './handshake-obstacle.ts';
import type { HttpClient } from './http-client.ts';
import { probeInjection } from './injection.ts';
import { askMethods } from './methods.ts';
import type { OriginHeaders } from './navigate.ts';
import { pathsOfPage } from './paths-of-page.ts';
import { PoliteClient } from './polite-client.ts';
import { furtherPaths, openPathsAt, urgentPaths } from './reach.ts';
import { probeReflection } from './reflection.ts';
import { revisit } from './revisit.ts';
import { collectScripts } from './scripts.ts';
import { openSession, type Session, type WebsiteOptions } from './session.ts';
import { technologiesOf } from './technologies.ts';
import { firstHandshake, type Handshake, type Roots } from './tls.ts';
import { tlsFacts } from './tls-facts.ts';
import { type Attempt, exposureOrigin, finalPage, visitHttp, visitHttps } from './visit.ts';

/**
 * Collects what the website detectors read: at most 60 GET requests, one at a time, a dozen TLS handshakes, 20 seconds
 * and 12 MB. With depth `full`, which requires the owner's proof: at most 600 requests, GET, OPTIONS and TRACE, some
 * forty handshakes, 5 minutes and 64 MB.
 *
 * @param host as stored on the source; see `parseWebsiteHost` for the meaning of each spelling
 * @throws TargetRefused if the guard refuses the host
 * @throws WebsiteUnreachable if there is nothing to scan
 * @throws the signal's reason if aborted
 */
export async function collectWebsite(host: string, options: WebsiteOptions): Promise<WebsiteCapture> {
  const session = openSession(host, options, PoliteClient);
  try {
    const capture = await collect(host, session, options);
    options.signal.throwIfAborted();
    return capture;
  } catch (error) {
    options.signal.throwIfAborted();
    throw error;
  } finally {
    await session.client.close();
  }
}

const notInRun = notAssessed('It was not part of this run.');
const inFullScans = notAssessed('Only a full scan requests it.');

async function collect(host: string, session: Session, options: WebsiteOptions): Promise<WebsiteCapture> {
  const { target, reach, budget, client, roots } = session;
  const { site, explicitHttp } = target;
  const collected_at = new Date().toISOString();
  const includes = (part: keyof WebsiteCapture) => options.parts?.has(part) ?? true;
  const pinned = await client.pin(site.hostname);

  // These query name servers instead of the site, run concurrently, and never reject.
  const caa = includes('caa') ? lookUpCaa(site, options.resolveCaa ?? resolveCaaBySystem) : notInRun;
  const domain = includes('domain') ? domainOf(site, options.nameServers ?? getServers()) : notInRun;

  const handshake = await shakeHands(pinned, site.https_port, budget, roots);
  // An untrusted certificate may be an attacker's, so the credential is not sent.
  const credential = isTrusted(handshake) || explicitHttp ? session.credential : null;
  const https = await visitHttps(session, handshake, credential);
  const { navigation: http, error } = await visitHttp(
    session,
    handshake.ok,
    explicitHttp ? credential : null,
  );
  if (!handshake.ok && !(http.assessed && http.value.served) && !(error instanceof SiteDeclines)) {
    // The error of HTTPS explains more, unless the source has no HTTPS.
    throw new WebsiteUnreachable(errorCodeOf(site.https_port === null ? error : handshake.error));
  }
  const page = behindLogIn(finalPage(https, http), site, credential);

  const ofPage = async <T>(
    part: keyof WebsiteCapture,
    ask: (page: HttpResponse) => Promise<T>,
  ): Promise<Assessment<T>> => {
    if (!includes(part)) return notInRun;
    return page.assessed ? { assessed: true, value: await ask(page.value) } : page;
  };

  // Ordered by importance, since the time or the requests may run out.
  const { proof, place } = options;
  // With an untrusted certificate, a TXT record alone covers no more than a safe scan.
  const isNameOnly = proof?.by === 'dns_txt' && proof.address === undefined && !isTrusted(handshake);
  const allCiphers = reach.allCiphers && (place !== undefined || !isNameOnly);
  const tls = includes('tls')
    ? await tlsFacts(handshake, pinned, session, { allCiphers, visits: [https, http] })
    : notInRun;
  const corsOfPage = await ofPage('cors', page => probePage(client, page, credential, reach));
  const origin = exposureOrigin(page, https, http);
  const probing =
    includes('exposure') && origin !== null ? await ExposureProbing.begin(client, origin) : null;
  const visits = [https, http].flatMap(visit => (visit.assessed ? visit.value.responses : []));
  const named = origin === null ? [] : robotsPaths(client, origin);
  const namedSafely = named.slice(0, reach.safely.named);
  const shown = technologiesOf([...visits, ...(probing?.controls ?? [])]);
  const openPlaces = [...(place === undefined ? [] : [place]), ...(options.openPlaces ?? [])];
  const open = origin === null ? [] : openPathsAt(origin, site.hostname, options.openPlaces ?? []);
  await probing?.ask([...reach.placePaths, ...open, ...urgentPaths(shown)], 'safe');
  const elsewhere =
    includes('exposure') && origin !== null
      ? await probeElsewhere(client, { hostname: site.hostname, origin }, openPlaces)
      : [];
  // Permissions of endpoints are read where scripts call them.
  const callers =
    includes('scripts') || includes('cors') ? await scriptsOf(session, page, credential) : notInRun;
  const scripts = includes('scripts') ? callers : notInRun;
  const readScripts = scripts.assessed ? scripts.value : [];
  const cors = await ofPage('cors', async page => [
    ...(corsOfPage.assessed ? corsOfPage.value : []),
    ...(await probeEndpoints(
      client,
      apiEndpoints(page, callers.assessed ? callers.value : []),
      credential,
      reach,
    )),
  ]);
  const texts = await ofPage('texts', page =>
    furtherTexts(client, page, readScripts, credential, {
      styleSheets: reach.styleSheets,
      sourceMaps: reach.asksMore ? reach.sourceMaps : 0,
    }),
  );
  const revisited = await ofPage('revisited', page =>
    revisit(client, { hostname: site.hostname, page, scripts: readScripts }, openPlaces, credential),
  );
  const gone_pages = page.assessed
    ? await gonePages(
        client,
        { hostname: site.hostname, visited: [page.value, ...visits] },
        options.openSubjects ?? [],
        credential,
      )
    : [];
  const left_out: ExposureKind[] = [];
  if (page.assessed && origin !== null) {
    const ofPage = pathsOfPage(page.value, readScripts, origin, reach);
    left_out.push(...ofPage.leftOut);
    await probing?.ask(ofPage.paths, 'safe');
    await probing?.ask(ofPage.deepPaths, 'full');
  }
  await probing?.ask(namedSafely, 'safe');
  const others = Math.min(answered(scripts), reach.safely.scripts) + answered(cors);
  await probing?.ask(furtherPaths(shown, others, [...namedSafely, ...open]), 'safe');
  await probing?.ask(named.slice(reach.safely.named, reach.named), 'full');
  await probing?.ask(reach.deepPaths, 'full');
  if (reach.asksMore && page.assessed && origin !== null) {
    await probing?.askGraphqlByPost(namedEndpoints(page.value, readScripts, origin));
  }
  const exposure: WebsiteCapture['exposure'] = !includes('exposure')
    ? notInRun
    : probing === null
      ? notAssessed('No page of the site answered.')
      : { assessed: true, value: { ...(await probing.end()), left_out, elsewhere } };
  const injections = reach.asksMore
    ? await ofPage('injections', response => probeInjection(client, response, credential, options.place))
    : inFullScans;
  const methods = reach.asksMore
    ? await ofPage('methods', ({ url }) => askMethods(client, new URL(url)))
    : inFullScans;
  const reflections = reach.asksMore
    ? await ofPage('reflections', response => probeReflection(client, response, credential, options.place))
    : inFullScans;
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
    scripts,
    texts,
    open_secrets: openPlaces.filter(locator => secretAt(locator) !== null),
    revisited,
    gone_pages,
    cors,
    caa: await caa,
    domain: await domain,
    exposure,
    methods,
    injections,
    reflections,
  };
}

const answered = (list: Assessment<readonly { readonly response: Assessment<unknown> }[]>): number =>
  list.assessed ? list.value.filter(({ response }) => response.assessed).length : 0;

const robotsPaths = (client: HttpClient, origin: string): ExposurePath[] =>
  client.pathsOfRobots(new URL(origin).host).map(path => ({ path, kind: 'named' }));

/**
 * Not assessed if the page redirects to a login although a credential was sent: it has expired or is wrong, and
 * findings behind the login may still exist.
 */
function behindLogIn(
  page: Assessment<HttpResponse>,
  { path }: WebsiteSite,
  credential: OriginHeaders | null,
): Assessment<HttpResponse> {
  if (credential === null || !page.assessed) return page;
  const { url, body } = page.value;
  return new URL(url).pathname !== path.split('?', 1)[0] && asksForPassword(body)
    ? notAssessed('The site redirects the scan to a login page, although the source’s credential was sent.')
    : page;
}

function asksForPassword(html: string): boolean {
  let asks = false;
  readTags(html, {
    onOpen(name, { type }) {
      asks ||= name === 'input' && type?.trim().toLowerCase() === 'password';
    },
  });
  return asks;
}

async function shakeHands(
  pinned: PinnedAddress,
  port: number | null,
  budget: Budget,
  roots: Roots,
): Promise<Attempt<Handshake>> {
  if (port === null) {
    const error = new Error('The source is an http:// URL with a nonstandard port');
    return { ok: false, error: Object.assign(error, { code: 'ECONNREFUSED' }) };
  }
  const shake = async (): Promise<Attempt<Handshake>> => {
    try {
      return { ok: true, value: await firstHandshake(pinned, port, budget, roots) };
    } catch (error) {
      return { ok: false, error };
    }
  };
  const first = await shake();
  const last = !first.ok && isMomentary(first.error) ? await shake() : first;
  return last.ok ? last : { ok: false, error: await explained(last.error, pinned, port, budget) };
}

function isTrusted(handshake: Attempt<Handshake>): boolean {
  return handshake.ok && handshake.value.authorization_error === null && handshake.value.hostname_matches;
}

async function domainOf(
  site: WebsiteSite,
  nameServers: readonly string[],
): Promise<WebsiteCapture['domain']> {
  try {
    return { assessed: true, value: await lookUpDomain(site, nameServers) };
  } catch {
    return notAssessed('No name server is configured.');
  }
}

async function scriptsOf(
  { client, reach }: Session,
  page: Assessment<HttpResponse>,
  credential: OriginHeaders | null,
): Promise<WebsiteCapture['scripts']> {
  if (!page.assessed) return page;
  const { status } = page.value;
  // An error page often comes from the server itself, without the scripts of the site's documents.
  if (status >= 400) return notAssessed(`The page returns status ${status}.`);
  return { assessed: true, value: await collectScripts(client, page.value, credential, reach) };
}
