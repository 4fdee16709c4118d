import { readTags } from '../../evidence/read-tags.ts';
import type { HttpResponse } from '../../evidence/website.ts';
import type { ExposurePath } from './exposure.ts';

const maxSourceMaps = 2;
const maxDirectories = 2;
const maxDepth = 2;

/**
 * Paths that a page makes likely to exist on its own origin: the maps beside its scripts, and directories from which it
 * loads images (uploads lie there) or else scripts.
 */
export function pathsOfPage(page: HttpResponse, origin: string): ExposurePath[] {
  const maps = new Set<string>();
  const ofImages = new Set<string>();
  const ofScripts = new Set<string>();
  readTags(page.body, {
    onOpen(name, { src }) {
      if ((name !== 'script' && name !== 'img') || src === undefined) return;
      const url = URL.canParse(src, page.url) ? new URL(src, page.url) : null;
      if (url?.origin !== origin) return;
      const directory = directoryOf(url.pathname);
      const directories = name === 'img' ? ofImages : ofScripts;
      if (directory !== null && directories.size < maxDirectories) directories.add(directory);
      if (name === 'script' && url.pathname.endsWith('.js') && maps.size < maxSourceMaps) {
        maps.add(`${url.pathname}.map`);
      }
    },
  });
  return [
    ...[...new Set([...ofImages, ...ofScripts])]
      .slice(0, maxDirectories)
      .map(path => ({ path, kind: 'directory' as const })),
    ...[...maps].map(path => ({ path, kind: 'source_map' as const })),
  ];
}

/** The upper folders of a file, without dates and build hashes: the next scan should ask for the same. */
function directoryOf(pathname: string): string | null {
  const folders = pathname.split('/').slice(1, -1);
  const end = folders.findIndex(folder => folder === '' || /\d{4}|[0-9a-f]{8}/i.test(folder));
  const upper = folders.slice(0, Math.min(maxDepth, end === -1 ? folders.length : end));
  return upper.length === 0 ? null : `/${upper.join('/')}/`;
}
