import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { filesBelow } from '../support/files-below.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(root + path, 'utf8');

/** The names of a page's places, as GitHub makes them of headings, and those that it declares. */
function placesIn(page: string): Set<string> {
  const text = read(page);
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-'),
  );
  return new Set([...headings, ...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id!)]);
}

it('has every page and place that its pages link to', () => {
  const pages = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', 'web/README.md'];
  pages.push(...filesBelow('docs', /\.md$/), ...filesBelow('examples', /\.md$/));
  const places = new Map<string, Set<string>>();
  let links = 0;
  const broken = pages.flatMap(page =>
    [...read(page).matchAll(/\]\((?![a-z]+:)([^)\s]+)\)/g)].flatMap(([, link]) => {
      links += 1;
      const [path, place] = link!.split('#') as [string, string?];
      const target = path === '' ? page : join(dirname(page), path);
      if (!existsSync(root + target)) return [`${page}: ${link}`];
      if (place === undefined || !target.endsWith('.md')) return [];
      if (!places.has(target)) places.set(target, placesIn(target));
      return places.get(target)!.has(place) ? [] : [`${page}: ${link}`];
    }),
  );
  expect(links).toBeGreaterThan(200);
  expect(broken).toEqual([]);
});
