import type { ExposureKind, ExposurePath } from '../../captures/listed-paths.ts';
import { PageAddresses, parseUrl } from '../../captures/page-addresses.ts';
import { readTags } from '../../captures/read-tags.ts';
import type { HttpResponse, PageScript } from '../../captures/website.ts';
import { mapMayAct, mayAct } from './offers/acting-words.ts';
import type { Reach } from './reach.ts';
import { sourceMapReference } from './source-map.ts';

const maxDepth = 2;

export interface PathsOfPage {
  readonly paths: readonly ExposurePath[];
  /** Further paths that only a full scan requests. */
  readonly deepPaths: readonly ExposurePath[];
  /** Kinds with more paths than the limit, or possibly more. */
  readonly leftOut: readonly ExposureKind[];
}

/**
 * Paths that are likely to exist on the page's origin: the source maps that its scripts name or may have, and directories from which it
 * loads images (which often contain uploads) or else scripts.
 */
export function pathsOfPage(
  page: HttpResponse,
  scripts: readonly PageScript[],
  origin: string,
  limits: Pick<Reach, 'sourceMaps' | 'directories' | 'safely'>,
): PathsOfPage {
  const maps = new Set<string>();
  const ofImages = new Set<string>();
  const ofScripts = new Set<string>();
  const addresses = new PageAddresses(page.url);
  /** One more than the limit shows that there are more. */
  const addTo = (paths: Set<string>, path: string, limit: number) => {
    if (paths.size <= limit) paths.add(path);
  };
  const noted = new Set<string>();
  for (const { url, response } of scripts) {
    const reference = response.assessed ? sourceMapReference(response.value) : null;
    if (reference === null || /^data:/i.test(reference)) continue;
    noted.add(url);
    const map = parseUrl(reference, url);
    if (map?.origin === origin && !mapMayAct(map)) addTo(maps, map.pathname + map.search, limits.sourceMaps);
  }
  const ofTags = readTags(page.body, {
    onOpen(name, { src }) {
      if ((name !== 'script' && name !== 'img') || src === undefined) return;
      const url = addresses.resolve(src);
      if (url?.origin !== origin) return;
      const directory = directoryOf(url.pathname);
      if (directory !== null && !mayAct(directory))
        addTo(name === 'img' ? ofImages : ofScripts, directory, limits.directories);
      // Many builds leave out the comment, but not the file.
      if (name === 'script' && url.pathname.endsWith('.js') && !noted.has(url.href))
        addTo(maps, `${url.pathname}.map`, limits.sourceMaps);
    },
  });
  const directories = new Set([...ofImages, ...ofScripts]);
  const some = (kind: ExposureKind, paths: Set<string>, from: number, to: number) =>
    [...paths].slice(from, to).map(path => ({ path, kind }));
  const { safely } = limits;
  const isCut = page.body_truncated || page.status === 206;
  const isPartial = isCut || addresses.gap !== null || ofTags !== null;
  return {
    paths: [
      ...some('directory', directories, 0, safely.directories),
      ...some('source_map', maps, 0, safely.sourceMaps),
    ],
    deepPaths: [
      ...some('directory', directories, safely.directories, limits.directories),
      ...some('source_map', maps, safely.sourceMaps, limits.sourceMaps),
    ],
    leftOut: [
      ...(directories.size > limits.directories || isPartial ? ['directory' as const] : []),
      ...(maps.size > limits.sourceMaps || isPartial ? ['source_map' as const] : []),
    ],
  };
}

/** The upper folders of a file, without dates and build hashes, so that the next scan requests the same ones. */
function directoryOf(pathname: string): string | null {
  const folders = pathname.split('/').slice(1, -1);
  const end = folders.findIndex(folder => folder === '' || /\d{4}|[0-9a-f]{8}/i.test(folder));
  const upper = folders.slice(0, Math.min(maxDepth, end === -1 ? folders.length : end));
  return upper.length === 0 ? null : `/${upper.join('/')}/`;
}
