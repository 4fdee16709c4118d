import { PageAddresses } from '../../captures/page-addresses.ts';
import { readTags } from '../../captures/read-tags.ts';
import type { HttpResponse } from '../../captures/website.ts';
import { isOwn } from './page-scripts.ts';

/** The page's own style sheets, each once, in the order of the page. */
export function styleSheetsOf(page: HttpResponse): URL[] {
  const found = new Map<string, URL>();
  const addresses = new PageAddresses(page.url);
  readTags(page.body, {
    onOpen(name, { rel = '', href }) {
      if (name === 'base' && href !== undefined) addresses.setBase(href);
      if (name !== 'link' || !rel.toLowerCase().split(/\s+/).includes('stylesheet')) return;
      const url = addresses.resolve(href);
      if (url === null || !isOwn(url, page)) return;
      url.hash = '';
      found.set(url.href, url);
    },
  });
  return [...found.values()];
}
