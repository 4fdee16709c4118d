import { randomBytes } from 'node:crypto';
import { getDomain } from 'tldts';
import type { OriginKind } from '../../captures/origin-kinds.ts';
import type { CorsProbe, HttpResponse } from '../../captures/website.ts';
import { parseHost } from '../connection/address.ts';
import { type Endpoint, openAtOrigin } from './cors-endpoints.ts';
import { assess } from './failure.ts';
import type { HttpClient } from './http-client.ts';
import { type OriginHeaders, requestFor } from './navigate.ts';
import type { Reach } from './reach.ts';

const readBytes = 64 * 1024;
/** Enough to distinguish the page from others by its title. */
const keepBytes = 16 * 1024;

type Origin = readonly [kind: OriginKind, origin: string];

type Depth = 'safe' | 'full';

/**
 * Requests the page as scripts of other sites would. Headers of ordinary responses do not show servers that copy the
 * Origin header into their permission, since they do so only if there is one.
 */
export async function probePage(
  client: HttpClient,
  page: HttpResponse,
  credential: OriginHeaders | null,
  { asksMore }: Pick<Reach, 'asksMore'>,
  openPlaces: readonly string[] = [],
): Promise<CorsProbe[]> {
  const asking = new Asking(client, credential);
  const url = new URL(page.url);
  const open = openAtOrigin(url.origin, openPlaces);
  return askAll(asking, { url, open, isOpen: false }, 'page', 'safe', asksMore, [page]);
}

/**
 * Requests endpoints that the page calls in the same way. A full scan also sends the request that browsers send before others (a
 * preflight).
 */
export async function probeEndpoints(
  client: HttpClient,
  endpoints: readonly Endpoint[],
  credential: OriginHeaders | null,
  { endpoints: most, safely, asksMore }: Pick<Reach, 'endpoints' | 'safely' | 'asksMore'>,
): Promise<CorsProbe[]> {
  const asking = new Asking(client, credential);
  const probes: CorsProbe[] = [];
  const again = endpoints.filter(({ isOpen }) => isOpen);
  const asked = [...again, ...endpoints.filter(({ isOpen }) => !isOpen).slice(0, most)];
  for (const [index, endpoint] of asked.entries()) {
    const depth = index < again.length + safely.endpoints ? 'safe' : 'full';
    const of = await askAll(asking, endpoint, 'endpoint', depth, asksMore, []);
    if (asksMore) of.push(...(await asking.preflight(endpoint.url)));
    probes.push(...(endpoint.isOpen ? of.map(probe => ({ ...probe, is_open: true as const })) : of));
  }
  return probes;
}

/** @param known responses of the same URL to other requests */
async function askAll(
  asking: Asking,
  { url, open }: Endpoint,
  target: CorsProbe['target'],
  depth: Depth,
  asksMore: boolean,
  known: readonly HttpResponse[],
): Promise<CorsProbe[]> {
  const { first, further } = originsFor(url.hostname);
  // Of an endpoint, one answer shows whether the others matter: where some origin is compared with a list.
  const begin = target === 'page' ? first : first.slice(0, 1);
  const probes = await asking.of(url, target, begin, depth);
  const compares = comparesOrigins([...known, ...answersOf(probes)]);
  const all = [...further, ...first.slice(begin.length)];
  // A finding is resolved only by the origin that has it.
  const rest = compares || asksMore ? all : all.filter(([kind]) => open.has(kind));
  const others = await asking.of(url, target, rest, compares || !asksMore ? depth : 'full');
  // The first is allowed for the reason of a simpler one, if any of them is. None is simpler than a foreign one.
  return first[0]?.[0] === 'foreign' ? [...probes, ...others] : [...others, ...probes];
}

const answersOf = (probes: readonly CorsProbe[]): HttpResponse[] =>
  probes.flatMap(({ response }) => (response.assessed ? [response.value] : []));

/** Whether responses depend on the origin, or have a permission for some. */
const comparesOrigins = (responses: readonly HttpResponse[]): boolean =>
  responses.some(({ headers }) =>
    headers.some(
      ([name, value]) =>
        (name.startsWith('access-control-allow-') && value !== '*') ||
        (name === 'vary' && /\borigin\b/i.test(value)),
    ),
  );

/** Origins that a site must not allow, and those that mistakes in its comparison allow. */
function originsFor(hostname: string): { first: Origin[]; further: Origin[] } {
  const word = randomBytes(6).toString('hex');
  // `.example` is reserved (RFC 2606), so no list of allowed origins contains this one by accident.
  const foreign: Origin = ['foreign', `https://${word}.example`];
  const nothing: Origin = ['null', 'null'];
  const local: Origin = ['localhost', 'http://localhost:3000'];
  // IP addresses cannot be part of a name.
  if (parseHost(hostname)?.kind !== 'name' || !hostname.includes('.'))
    return { first: [foreign, nothing], further: hostname === 'localhost' ? [] : [local] };
  const domain = getDomain(hostname, { allowPrivateDomains: true }) ?? hostname;
  return {
    first: [
      // One request for servers that allow any origin, or compare only the beginning or the end.
      ['similar', `https://${hostname}.${word}${domain}`],
      // A dot in a regular expression matches any character.
      ['dot', `https://${hostname.replace('.', 'x')}`],
      nothing,
    ],
    further: [
      foreign,
      ['lookalike', `https://${hostname}.${word}.example`],
      ['suffix', `https://${word}${domain}`],
      ['subdomain', `https://${word}.${domain}`],
      ['plain_http', `http://${hostname}`],
      local,
    ],
  };
}

class Asking {
  readonly #client: HttpClient;
  readonly #credential: OriginHeaders | null;

  constructor(client: HttpClient, credential: OriginHeaders | null) {
    this.#client = client;
    this.#credential = credential;
  }

  async of(
    url: URL,
    target: CorsProbe['target'],
    origins: readonly Origin[],
    depth: Depth,
  ): Promise<CorsProbe[]> {
    const probes: CorsProbe[] = [];
    for (const [origin_kind, origin] of origins) {
      const { headers, requireTrusted } = requestFor(url, this.#credential);
      const response = await assess(
        this.#client.request(url, {
          depth,
          headers: { ...headers, origin },
          requireTrusted,
          readLimit: readBytes,
          keepLimit: keepBytes,
          encoding: 'latin1',
        }),
      );
      probes.push({ target, origin_kind, origin, response });
    }
    return probes;
  }

  /** Fetch, 4.8. It carries no credential. */
  async preflight(url: URL): Promise<CorsProbe[]> {
    const { first, further } = originsFor(url.hostname);
    const [origin_kind, origin] = [...first, ...further].find(([kind]) => kind === 'foreign')!;
    const response = await assess(
      this.#client.request(url, {
        depth: 'full',
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'PUT',
          'access-control-request-headers': 'content-type',
        },
        readLimit: 1024,
        keepLimit: 0,
        encoding: 'latin1',
      }),
    );
    return [{ target: 'preflight', origin_kind, origin, response }];
  }
}
