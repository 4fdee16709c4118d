import { deepExposurePaths } from '../../captures/deep-exposure-paths.ts';
import { type ExposurePath, exposurePaths } from '../../captures/exposure-paths.ts';
import { isOfSourceMaps } from '../../captures/places.ts';
import { type BudgetLimits, defaultLimits } from './budget.ts';

interface Quotas {
  readonly limits: BudgetLimits;
  /** How many scripts of the page are read, and how many source maps and directories are requested. */
  readonly scripts: number;
  readonly sourceMaps: number;
  readonly directories: number;
  /** Whether every broken cipher suite is offered, instead of stopping after two. */
  readonly allCiphers: boolean;
  /** Whether the server's methods, and reflection of query parameters, are tested. */
  readonly asksMore: boolean;
}

/** The limits and paths of a collection. */
export interface Reach extends Quotas {
  /** The most important paths, requested before the scripts. */
  readonly urgentPaths: readonly ExposurePath[];
  readonly furtherPaths: readonly ExposurePath[];
  /** Paths that only a full scan requests. */
  readonly deepPaths: readonly ExposurePath[];
  /** What a safe scan would read and request. */
  readonly safely: Pick<Quotas, 'scripts' | 'sourceMaps' | 'directories'>;
}

/** `full` requires the owner's proof: it sends several hundred requests. */
const quotas: Readonly<Record<'safe' | 'full', Quotas>> = {
  safe: {
    limits: defaultLimits,
    scripts: 8,
    sourceMaps: 2,
    directories: 2,
    allCiphers: false,
    asksMore: false,
  },
  full: {
    limits: { requests: 600, bytes: 64 * 1024 * 1024, totalMs: 300_000, requestMs: 10_000 },
    scripts: 40,
    sourceMaps: 40,
    directories: 12,
    allCiphers: true,
    asksMore: true,
  },
};

/** How many of the fixed paths are urgent: those with secrets. */
const urgent = 8;

/** @param place the locator of a finding to verify, at any place */
export function reachOf(hostname: string, depth: 'safe' | 'full' = 'safe', place?: string): Reach {
  const reach = {
    ...quotas[depth],
    urgentPaths: exposurePaths.slice(0, urgent),
    furtherPaths: exposurePaths.slice(urgent),
    deepPaths: depth === 'full' ? deepExposurePaths(hostname) : [],
    safely: quotas.safe,
  };
  if (place === undefined) return reach;
  const { sourceMaps } = isOfSourceMaps(place) ? quotas.full : reach;
  return {
    ...reach,
    allCiphers: true,
    sourceMaps,
    urgentPaths: [...pathsAt(place, hostname), ...reach.urgentPaths],
  };
}

function allPaths(hostname: string): readonly ExposurePath[] {
  return [...exposurePaths, ...deepExposurePaths(hostname)];
}

/** The paths, of any scan, whose finding has this locator: the URL of a file, a folder or a listing. */
export function pathsAt(place: string, hostname: string): readonly ExposurePath[] {
  if (!URL.canParse(place)) return [];
  const { pathname } = new URL(place);
  const isFolder = pathname.endsWith('/');
  const known = allPaths(hostname).filter(
    ({ path, kind }) =>
      path.split('?', 1)[0] === pathname ||
      (isFolder && kind === 'version_control' && path.startsWith(pathname)),
  );
  return isFolder ? [...known, { path: pathname, kind: 'directory' }] : known;
}
