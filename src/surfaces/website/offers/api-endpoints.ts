import { parseUrl } from '../../../captures/page-addresses.ts';
import type { HttpResponse, PageScript } from '../../../captures/website.ts';
import { isOwn } from '../page-scripts.ts';
import { linkMayAct } from './acting-words.ts';
import { scriptTexts } from './script-texts.ts';

/** Endpoints of one page that are kept. */
const most = 40;

/** Any text that is a path or an absolute URL. The next one may begin where it ends. */
const address = /(["'`])((?:https?:\/\/|\/)[^"'`\\\s<>{}]{1,300})(?=\1)/g;

/** Before the URL of a call, as browsers’ own functions and common libraries make it. */
const call =
  /(?:\bfetch\(|\.(?:get|json|ajax|getJSON)\(|\burl\s{0,2}:\s{0,2}|\bopen\(\s{0,4}["'`](?:GET|get)["'`]\s{0,4},)\s{0,8}$/;
const longestCall = 40;

/** The path of an API, whatever is done with it. */
const api =
  /^(?:https?:\/\/[\w.:-]{1,200})?\/(?:api|rest|graphql|v\d|services|wp-json|_api)(?:\/[\w./-]{0,200})?$/;

/** Files that pages load, which need no permission to be read by other sites. */
const file = /\.(?:css|gif|html?|ico|jpe?g|m?js|map|mp4|png|svg|txt|webp|woff2?)$/i;

/**
 * The endpoints of the site that its scripts call with GET, or name, each once, without those whose words suggest an action. A
 * prefix to which scripts add a name is left out.
 */
export function apiEndpoints(page: HttpResponse, scripts: readonly PageScript[]): URL[] {
  const called = new Map<string, URL>();
  const named = new Map<string, URL>();
  // A text may repeat one reference a hundred thousand times.
  const known = new Set<string>();
  for (const text of scriptTexts(page, scripts)) {
    for (const { 2: reference = '', index } of text.matchAll(address)) {
      const isCall = call.test(text.slice(Math.max(0, index - longestCall), index));
      const key = `${isCall} ${reference}`;
      if (reference.endsWith('/') || known.has(key) || !(isCall || api.test(reference))) continue;
      known.add(key);
      const url = parseUrl(reference, page.url);
      if (url === null || !isOwn(url, page) || file.test(url.pathname) || linkMayAct(url, [])) continue;
      url.hash = '';
      const found = isCall ? called : named;
      if (url.href !== page.url && found.size < most && !found.has(url.href)) found.set(url.href, url);
    }
  }
  return [...new Map([...called, ...named]).values()].slice(0, most);
}
