import { deepExposurePaths } from '../../captures/deep-exposure-paths.ts';
import { type ExposurePath, exposurePaths } from '../../captures/exposure-paths.ts';
import { isOfSourceMaps } from '../../captures/places.ts';
import { type BudgetLimits, defaultLimits } from './budget.ts';

interface Quotas {
  readonly limits: BudgetLimits;
  /** Scripts of the page that are read, and what the page names that is asked for besides. */
  readonly scripts: number;
  readonly sourceMaps: number;
  readonly directories: number;
  /** Whether every broken cipher suite is asked for, or only until two are known. */
  readonly allCiphers: boolean;
  /** Whether the server is asked about its methods, and whether it gives query parameters back as markup. */
  readonly asksMore: boolean;
}

/** How far a collection goes. */
export interface Reach extends Quotas {
  /** Paths that are asked for before the scripts: those that would be worst to leave out. */
  readonly urgentPaths: readonly ExposurePath[];
  readonly furtherPaths: readonly ExposurePath[];
  /** Paths that only a full scan asks for. */
  readonly deepPaths: readonly ExposurePath[];
  /** What a safe scan of the same would read and ask for. */
  readonly safely: Pick<Quotas, 'scripts' | 'sourceMaps' | 'directories'>;
}

/** `full` takes its owner's proof: it makes several hundred requests. */
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

/** @param place the locator of a finding that is to be looked at again, wherever it is */
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
