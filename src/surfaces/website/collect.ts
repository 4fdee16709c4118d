import { getServers } from 'node:dns';
import { type Assessment, notAssessed } from '../../captures/assessment.ts';
import { secretAt } from '../../captures/places.ts';
import type { HttpResponse, WebsiteCapture, WebsiteSite } from '../../captures/website.ts';
import { arrive } from './arrival.ts';
import { lookUpCaa, resolveCaaBySystem } from './caa.ts';
import { probeEndpoints, probePage } from './cors.ts';
import { endpointsToAsk } from './cors-endpoints.ts';
import { lookUpDomain } from './domain-records.ts';
import { furtherTexts } from './further-texts.ts';
import { gonePages } from './gone-pages.ts';
import { probeInjection } from './injection.ts';
import { askMethods } from './methods.ts';
import type { OriginHeaders } from './navigate.ts';
import { apiEndpoints } from './offers/api-endpoints.ts';
import { PoliteClient } from './polite-client.ts';
import { PublicFiles } from './public-files.ts';
import { probeReflection } from './reflection.ts';
import { revisit } from './revisit.ts';
import { collectScripts } from './scripts.ts';
import { openSession, type Session, type WebsiteOptions } from './session.ts';
import { tlsFacts } from './tls-facts.ts';
import { exposureOrigin } from './visit.ts';

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

/** Parts that are collected where scripts name them, and the scripts. */
const needScripts = ['scripts', 'cors', 'texts', 'revisited', 'injections'] as const;

const notInRun = notAssessed('It was not part of this run.');
const inFullScans = notAssessed('Only a full scan requests it.');

async function collect(host: string, session: Session, options: WebsiteOptions): Promise<WebsiteCapture> {
  const { target, reach, client } = session;
  const { site } = target;
  const collected_at = new Date().toISOString();
  const includes = (part: keyof WebsiteCapture) => options.parts?.has(part) ?? true;
  // Throws if the guard refuses the host, before anything is asked about it.
  await client.pin(site.hostname);
  // These query name servers instead of the site, run concurrently, and never reject.
  const caa = includes('caa') ? lookUpCaa(site, options.resolveCaa ?? resolveCaaBySystem) : notInRun;
  const domain = includes('domain') ? domainOf(site, options.nameServers ?? getServers()) : notInRun;
  const arrival = await arrive(session);
  const { credential, https, http, page } = arrival;
  const visits = [https, http].flatMap(visit => (visit.assessed ? visit.value.responses : []));
  const open = options.openPlaces ?? [];
  const openPlaces = [...(options.place === undefined ? [] : [options.place]), ...open];
  const ofPage = async <T>(
    part: keyof WebsiteCapture,
    ask: (page: HttpResponse) => Promise<T>,
  ): Promise<Assessment<T>> => {
    if (!includes(part)) return notInRun;
    return page.assessed ? { assessed: true, value: await ask(page.value) } : page;
  };
  const onlyFull = async <T>(
    part: keyof WebsiteCapture,
    ask: (page: HttpResponse) => Promise<T>,
  ): Promise<Assessment<T>> => (reach.asksMore ? ofPage(part, ask) : inFullScans);

  // Ordered by importance, since the time or the requests may run out.
  const tls = includes('tls') ? await tlsFacts(session, arrival, options) : notInRun;
  const corsOfPage = await ofPage('cors', page => probePage(client, page, credential, reach, openPlaces));
  const origin = exposureOrigin(page, https, http);
  const files =
    includes('exposure') && origin !== null
      ? await PublicFiles.begin(session, { origin, visits, open, places: openPlaces })
      : null;
  const needed = needScripts.some(includes) ? await scriptsOf(session, page, credential) : notInRun;
  const scripts = includes('scripts') ? needed : notInRun;
  const readScripts = needed.assessed ? needed.value : [];
  const cors = await ofPage('cors', async page => [
    ...(corsOfPage.assessed ? corsOfPage.value : []),
    ...(await probeEndpoints(
      client,
      endpointsToAsk(apiEndpoints(page, readScripts), openPlaces, {
        hostname: site.hostname,
        pageOrigin: new URL(page.url).origin,
      }),
      credential,
      reach,
    )),
  ]);
  const texts = await ofPage('texts', page =>
    furtherTexts(client, page, readScripts, credential, {
      styleSheets: reach.styleSheets,
      sourceMaps: reach.asksMore ? reach.sourceMaps : null,
      safely: reach.safely,
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
  if (page.assessed) await files?.askOfPage(page.value, readScripts);
  await files?.askOthers(Math.min(answered(scripts), reach.safely.scripts) + answered(cors));
  if (page.assessed && reach.asksMore) await files?.askGraphql(page.value, readScripts);
  const { place } = options;
  const injections = await onlyFull('injections', page =>
    probeInjection(client, page, readScripts, credential, place),
  );
  const methods = await onlyFull('methods', ({ url }) => askMethods(client, new URL(url)));
  const reflections = await onlyFull('reflections', page => probeReflection(client, page, credential, place));
  await files?.askDeepPaths();
  const exposure: WebsiteCapture['exposure'] =
    files !== null
      ? { assessed: true, value: await files.end() }
      : includes('exposure')
        ? notAssessed('No page of the site answered.')
        : notInRun;
  return {
    collected_at,
    requested_host: host,
    depth: reach.asksMore ? 'full' : 'safe',
    site,
    tls,
    https,
    http,
    page,
    credential: session.credential === null ? 'none' : credential === null ? 'withheld' : 'sent',
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
