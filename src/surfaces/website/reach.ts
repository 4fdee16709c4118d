import { deepExposurePaths } from '../../captures/deep-exposure-paths.ts';
import { choosePaths } from '../../captures/exposure-paths.ts';
import type { ExposurePath } from '../../captures/listed-paths.ts';
import { isMasked, isOfSourceMaps, urlOfPlace } from '../../captures/places.ts';
import type { Technology } from '../../captures/technologies.ts';
import { type BudgetLimits, defaultLimits } from './budget.ts';

interface Quotas {
  readonly limits: BudgetLimits;
  /** How many scripts of the page are read, and how many source maps and directories are requested. */
  readonly scripts: number;
  readonly sourceMaps: number;
  readonly directories: number;
  /** How many style sheets are read. */
  readonly styleSheets: number;
  /** How many endpoints that scripts call are requested as another site would. */
  readonly endpoints: number;
  /** How many paths that robots.txt names are requested. */
  readonly named: number;
  /** How many copies of files that the page links to are requested. */
  readonly copies: number;
  /** Whether every broken cipher suite is offered, instead of stopping after two. */
  readonly allCiphers: boolean;
  /** Whether the server's methods, and reflection of query parameters, are tested. */
  readonly asksMore: boolean;
}

/** The limits and paths of a collection. */
export interface Reach extends Quotas {
  /** Requested whatever else the site has: the place of a finding to verify. */
  readonly placePaths: readonly ExposurePath[];
  /** Paths that only a full scan requests. */
  readonly deepPaths: readonly ExposurePath[];
  /** What a safe scan would read and request. */
  readonly safely: Pick<Quotas, 'scripts' | 'sourceMaps' | 'directories' | 'named' | 'copies' | 'endpoints'>;
}

/** `full` requires the owner's proof: it sends several hundred requests. */
const quotas: Readonly<Record<'safe' | 'full', Quotas>> = {
  safe: {
    limits: defaultLimits,
    scripts: 12,
    sourceMaps: 2,
    directories: 2,
    styleSheets: 0,
    endpoints: 2,
    named: 3,
    copies: 3,
    allCiphers: false,
    asksMore: false,
  },
  full: {
    limits: { requests: 600, bytes: 64 * 1024 * 1024, totalMs: 300_000, requestMs: 10_000 },
    scripts: 40,
    sourceMaps: 40,
    directories: 12,
    styleSheets: 10,
    endpoints: 8,
    named: 30,
    copies: 30,
    allCiphers: true,
    asksMore: true,
  },
};

/** How many paths a safe scan requests besides those that the page names. */
const chosenPaths = 36;

/** Requests for scripts and of other origins that leave room for all of these. */
const usualRequests = 8 + 3;

/** How many of the chosen paths are requested before the scripts. */
const urgent = 8;

/** The most important paths of a site with these technologies, which are requested first. */
export const urgentPaths = (shown: ReadonlySet<Technology>) =>
  choosePaths(shown, chosenPaths).slice(0, urgent);

/**
 * The others, which come last.
 *
 * @param others how many requests for scripts and of other origins a safe scan sends
 * @param besides paths of robots.txt and of open findings that are requested
 */
export function furtherPaths(
  shown: ReadonlySet<Technology>,
  others: number,
  besides: readonly ExposurePath[],
): readonly ExposurePath[] {
  const known = new Set(choosePaths(shown, chosenPaths).map(({ path }) => path));
  const more = besides.filter(({ path }) => !known.has(path)).length;
  return choosePaths(shown, chosenPaths - Math.max(0, others - usualRequests) - more).slice(urgent);
}

/** @param place the locator of a finding to verify, at any place */
export function reachOf(hostname: string, depth: 'safe' | 'full' = 'safe', place?: string): Reach {
  const reach = {
    ...quotas[depth],
    placePaths: [],
    // One finding needs its own path only.
    deepPaths: depth === 'full' && place === undefined ? deepExposurePaths(hostname) : [],
    safely: quotas.safe,
  };
  if (place === undefined) return reach;
  const { sourceMaps } = isOfSourceMaps(place) ? quotas.full : reach;
  return {
    ...reach,
    allCiphers: true,
    sourceMaps,
    placePaths: pathsAt(place, hostname),
  };
}

/** Paths of open findings that one scan requests at the origin of all others. */
const mostOpenPaths = 5;

/** The paths of open findings at the origin, which a safe scan may have left to full ones. */
export function openPathsAt(
  origin: string,
  hostname: string,
  places: readonly string[],
): readonly ExposurePath[] {
  return places
    .filter(place => urlOfPlace(place)?.origin === origin)
    .flatMap(place => pathsAt(place, hostname))
    .slice(0, mostOpenPaths);
}

/** The paths whose finding has this locator: the URL of a file, a folder or a listing. */
export function pathsAt(place: string, hostname: string): readonly ExposurePath[] {
  const pathname = isMasked(place) ? undefined : urlOfPlace(place)?.pathname;
  if (pathname === undefined) return [];
  const isFolder = pathname.endsWith('/');
  const known = deepExposurePaths(hostname).filter(
    ({ path, kind }) =>
      path.split('?', 1)[0] === pathname ||
      (isFolder && kind === 'version_control' && path.startsWith(pathname)),
  );
  if (isFolder) return [...known, { path: pathname, kind: 'directory' }];
  return known.length > 0 ? known : [{ path: pathname, kind: 'named' }];
}
