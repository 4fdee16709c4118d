import { filePaths } from './file-paths.ts';
import type { ExposureKind, ExposurePath, ListedPath } from './listed-paths.ts';
import { servicePaths } from './service-paths.ts';
import { basisOf, languages, type Technology, technologies, webServers } from './technologies.ts';

/** How likely the files of a technology are on a site that shows no other of its kind, and on one that does. */
const unknown = 0.6;
const contradicted = 0.15;

/**
 * The paths that a safe scan requests on a site that uses these technologies, most important first, since a slow site may use
 * up the time. Both sides need the list: the surface to request the paths, the detector to interpret the responses.
 *
 * No path causes work on a server: `/actuator/heapdump` would write a heap dump, so the index `/actuator` is requested
 * instead.
 *
 * @param most of them; more if there are more kinds
 */
export function choosePaths(shown: ReadonlySet<Technology>, most: number): readonly ExposurePath[] {
  const paths = rankedFor(shown);
  // Every check has at least its most important path. A missing security.txt takes both of its paths.
  const kinds = new Set<ExposureKind>(ofSomeSites);
  const chosen = new Set(
    paths.filter(({ kind }) => kind === 'security_txt' || kinds.size < kinds.add(kind).size),
  );
  for (const path of paths) if (chosen.size < most) chosen.add(path);
  return paths.filter(path => chosen.has(path));
}

const rankings = new WeakMap<ReadonlySet<Technology>, readonly ExposurePath[]>();

/** Every path once, the most important for a site that shows these first. Scans choose several times from one ranking. */
function rankedFor(shown: ReadonlySet<Technology>): readonly ExposurePath[] {
  const before = rankings.get(shown);
  if (before !== undefined) return before;
  const fits = fitOf(shown);
  const score = ({ weight, of }: ListedPath) =>
    of.length === 0 ? weight : weight * Math.max(...of.map(fits));
  const scored = everyPath.map(entry => ({ entry, score: score(entry) })).sort((a, b) => b.score - a.score);
  const ranked = unique(scored.map(({ entry }) => entry));
  rankings.set(shown, ranked);
  return ranked;
}

/** How likely files of a technology are on a site that shows these. */
function fitOf(shown: ReadonlySet<Technology>): (technology: Technology) => number {
  const known = withBasis(shown);
  const has = (kind: ReadonlySet<Technology>) => [...known].some(one => kind.has(one));
  const [hasLanguage, hasServer] = [has(languages), has(webServers)];
  const fits = (technology: Technology): number => {
    if (known.has(technology)) return 1;
    if (languages.has(technology)) return hasLanguage ? contradicted : unknown;
    if (webServers.has(technology)) return hasServer ? contradicted : unknown;
    // A product that is not shown: what it runs on may still be.
    const basis = basisOf[technology];
    return basis === undefined ? contradicted : fits(basis) / 2;
  };
  return fits;
}

/** A full scan's paths: those that belong to other languages and servers than the site shows come last, since requests may run out. */
export function deepPathsFor(
  shown: ReadonlySet<Technology>,
  paths: readonly ExposurePath[],
): readonly ExposurePath[] {
  const fits = fitOf(shown);
  const isUnlikely = ({ path }: ExposurePath): boolean => {
    const entries = ofPath.get(path) ?? [];
    return (
      entries.length > 0 &&
      entries.every(({ of }) => of.length > 0 && of.every(one => fits(one) < contradicted))
    );
  };
  const unlikely = new Set(paths.filter(isUnlikely));
  return [...paths.filter(path => !unlikely.has(path)), ...unlikely];
}

/** Kinds that only certain products have, or that decide no check alone. */
const ofSomeSites: ReadonlySet<ExposureKind> = new Set(['named', 'user_list', 'version_file', 'xml_rpc']);

const everyPath = [...filePaths, ...servicePaths];

const ofPath = new Map<string, ListedPath[]>();
for (const entry of everyPath) ofPath.set(entry.path, [...(ofPath.get(entry.path) ?? []), entry]);

/** Each path once, with its first kind: several technologies may have one. */
function unique(paths: readonly ExposurePath[]): ExposurePath[] {
  const kinds = new Map<string, ExposureKind>();
  for (const { path, kind } of paths) if (!kinds.has(path)) kinds.set(path, kind);
  return [...kinds].map(([path, kind]) => ({ path, kind }));
}

/** Every path of the lists, of all technologies. */
export const listedPaths: readonly ExposurePath[] = unique(everyPath);

function withBasis(shown: ReadonlySet<Technology>): ReadonlySet<Technology> {
  const known = new Set(shown);
  for (const technology of technologies) {
    const basis = basisOf[technology];
    if (known.has(technology) && basis !== undefined) known.add(basis);
  }
  return known;
}
