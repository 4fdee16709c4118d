import { deepExposurePaths } from '../../evidence/deep-exposure-paths.ts';
import { type ExposurePath, exposurePaths } from '../../evidence/exposure-paths.ts';
import { type BudgetLimits, defaultLimits } from './budget.ts';

/** How far a collection goes. */
export interface Reach {
  readonly limits: BudgetLimits;
  /** Paths that are asked for on every site, the most urgent first. */
  paths(hostname: string): readonly ExposurePath[];
  /** Scripts of the page that are read, and what the page names that is asked for besides. */
  readonly scripts: number;
  readonly sourceMaps: number;
  readonly directories: number;
  /** Whether every broken cipher suite is asked for, in each protocol version, or only until two are known. */
  readonly allCiphers: boolean;
  /** Whether the server is asked about its methods, and whether it gives query parameters back as markup. */
  readonly asksMore: boolean;
}

/** `full` takes its owner's proof: it makes several hundred requests. */
export const reaches: Readonly<Record<'safe' | 'full', Reach>> = {
  safe: {
    limits: defaultLimits,
    paths: () => exposurePaths,
    scripts: 8,
    sourceMaps: 2,
    directories: 2,
    allCiphers: false,
    asksMore: false,
  },
  full: {
    limits: { requests: 600, bytes: 64 * 1024 * 1024, totalMs: 300_000, requestMs: 10_000 },
    paths: hostname => [...exposurePaths, ...deepExposurePaths(hostname)],
    scripts: 40,
    sourceMaps: 40,
    directories: 12,
    allCiphers: true,
    asksMore: true,
  },
};

/** The paths, of any scan, whose finding has this locator: the URL of a file, a folder or a listing. */
export function pathsAt(place: string | undefined, hostname: string): readonly ExposurePath[] {
  if (place === undefined || !URL.canParse(place)) return [];
  const { pathname } = new URL(place);
  const known = reaches.full.paths(hostname).filter(({ path }) => path.split('?', 1)[0] === pathname);
  if (!pathname.endsWith('/')) return known;
  const inFolder = reaches.full
    .paths(hostname)
    .filter(({ path, kind }) => kind === 'version_control' && path.startsWith(pathname));
  return [...known, ...inFolder, { path: pathname, kind: 'directory' }];
}
