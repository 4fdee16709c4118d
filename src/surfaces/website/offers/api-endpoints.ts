import { parseUrl } from '../../../captures/page-addresses.ts';
import type { HttpResponse, PageScript } from '../../../captures/website.ts';
import { isOwn } from '../page-scripts.ts';
import { linkMayAct } from './acting-words.ts';
import { scriptTexts } from './script-texts.ts';

/** Endpoints of one page that are kept. */
const most = 40;

/** A call with a fixed URL, as browsers’ own functions and common libraries make it. */
const called =
  /(?:\bfetch\(|\.(?:get|json|ajax|getJSON)\(|\burl\s{0,2}:\s{0,2}|\bopen\(\s{0,4}["'`](?:GET|get)["'`]\s{0,4},)\s{0,8}(["'`])((?:https?:\/\/|\/)[^"'`\\\s<>{}]{1,300})\1/g;

/** Any text with the path of an API. */
const named =
  /(["'`])((?:https?:\/\/[\w.:-]{1,200})?\/(?:api|rest|graphql|v\d|services|wp-json|_api)(?:\/[\w./-]{0,200})?)\1/g;

/** Files that pages load, which need no permission to be read by other sites. */
const file = /\.(?:css|gif|html?|ico|jpe?g|m?js|map|mp4|png|svg|txt|webp|woff2?)$/i;

/**
 * The endpoints of the site that its scripts call with GET, or name, each once, without those whose words suggest an action. A
 * prefix to which scripts add a name is left out.
 */
export function apiEndpoints(page: HttpResponse, scripts: readonly PageScript[]): URL[] {
  const found = new Map<string, URL>();
  const texts = scriptTexts(page, scripts);
  for (const pattern of [called, named]) {
    for (const text of texts) {
      for (const [, , reference] of text.matchAll(pattern)) {
        const url = reference!.endsWith('/') ? null : parseUrl(reference!, page.url);
        if (url === null || !isOwn(url, page) || file.test(url.pathname) || linkMayAct(url, [])) continue;
        url.hash = '';
        if (url.href !== page.url && found.size < most && !found.has(url.href)) found.set(url.href, url);
      }
    }
  }
  return [...found.values()];
}
