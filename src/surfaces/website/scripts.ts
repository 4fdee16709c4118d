import type { Assessment } from '../../evidence/assessment.ts';
import { isXml, mediaTypeOf } from '../../evidence/media-type.ts';
import { PageAddresses } from '../../evidence/page-addresses.ts';
import { readTags } from '../../evidence/read-tags.ts';
import { isRunnable, sourceOf } from '../../evidence/script-element.ts';
import type { HttpResponse, PageScript } from '../../evidence/website.ts';
import { reasonFor } from './failure.ts';
import { type HttpClient, hostnameOf } from './http-client.ts';
import { isSameSite, type OriginHeaders, redirectTarget, requestFor } from './navigate.ts';
import type { Reach } from './reach.ts';

const maxNamed = 100;
const maxRedirects = 3;

/** Bytes of one script, and of all scripts of a page, that are received and kept. */
const scriptBytes = 2 * 1024 * 1024;
const allScriptsBytes = 5 * 1024 * 1024;

/**
 * Fetches the scripts that a page loads from its own site, in the order of the page. Scripts of other sites are not
 * asked for: their owners have authorized nothing, and the page's markup names them.
 *
 * A script that the limits leave out is in the list, not assessed. An answer that is no script, such as an error page,
 * runs nowhere: it is there with an empty body.
 */
export async function collectScripts(
  client: HttpClient,
  page: HttpResponse,
  credential: OriginHeaders | null,
  { scripts: maxScripts, safely }: Pick<Reach, 'scripts' | 'safely'>,
): Promise<PageScript[]> {
  const scripts: PageScript[] = [];
  let asked = 0;
  let bytesLeft = allScriptsBytes;
  let stop: string | null = null;
  const { urls, gap } = ownScripts(page);
  for (const url of urls) {
    if (asked >= maxScripts) stop ??= `The scan reads at most ${maxScripts} scripts of a page.`;
    if (bytesLeft === 0) stop ??= 'The scripts of the page are larger together than the scan reads.';
    if (stop !== null) {
      scripts.push({ url: url.href, response: { assessed: false, reason: stop } });
      continue;
    }
    asked += 1;
    const depth = asked > safely.scripts ? 'full' : 'safe';
    const response = await fetchScript(client, url, credential, depth, Math.min(scriptBytes, bytesLeft));
    scripts.push({ url: url.href, response: response.assessed ? judged(response.value) : response });
    if (!response.assessed) continue;
    bytesLeft = Math.max(0, bytesLeft - Buffer.byteLength(response.value.body));
  }
  if (gap !== null) scripts.push({ url: page.url, response: { assessed: false, reason: gap } });
  return scripts;
}

/** The addresses of the page's own scripts, each once; at most 100. Why there are more is in `gap`. */
function ownScripts(page: HttpResponse): { urls: readonly URL[]; gap: string | null } {
  const type = mediaTypeOf(page.headers);
  if (!['', 'text/html', 'application/xhtml+xml'].includes(type)) return { urls: [], gap: null };
  const found = new Map<string, URL>();
  const site = hostnameOf(new URL(page.url));
  const addresses = new PageAddresses(page.url);
  let isFull = false;
  let mayForbidBase = page.headers.some(
    ([name, value]) => name === 'content-security-policy' && /base-uri/i.test(value),
  );
  const ofXml = isXml(type)
    ? 'The page is XML: what it loads is not what HTML of the same text would.'
    : null;
  const ofTags = readTags(page.body, {
    onOpen(name, attributes) {
      if (name === 'base' && attributes.href !== undefined) addresses.setBase(attributes.href);
      if (name === 'meta' && /base-uri/i.test(attributes.content ?? '')) mayForbidBase = true;
      const reference = scriptReference(name, attributes);
      if (reference === undefined || reference.trim() === '' || isFull) return;
      const url = addresses.resolve(reference);
      if (url === null) return;
      url.hash = '';
      const isHttp = url.protocol === 'https:' || url.protocol === 'http:';
      if (isHttp && url.username === '' && url.password === '' && isSameSite(site, hostnameOf(url))) {
        if (found.size < maxNamed || found.has(url.href)) found.set(url.href, url);
        else isFull = true;
      }
    },
  });
  const isElsewhere = new URL(addresses.base).origin !== new URL(page.url).origin;
  const ofBase =
    isElsewhere && mayForbidBase ? 'The page’s policy may forbid the base of its scripts.' : null;
  return {
    urls: [...found.values()],
    gap: isFull
      ? `The page loads more than ${maxNamed} scripts.`
      : (ofXml ?? addresses.gap ?? ofTags ?? ofBase),
  };
}

/** What an element loads as a script in current browsers: data blocks and `nomodule` are nothing that runs. */
function scriptReference(name: string, attributes: Record<string, string>): string | undefined {
  if (name === 'script') {
    return isRunnable(attributes) && attributes.nomodule === undefined ? sourceOf(attributes) : undefined;
  }
  if (name !== 'link') return undefined;
  const relations = (attributes.rel ?? '').toLowerCase().split(/\s+/);
  const loads =
    relations.includes('modulepreload') ||
    (relations.includes('preload') && attributes.as?.trim().toLowerCase() === 'script');
  return loads ? attributes.href : undefined;
}

async function fetchScript(
  client: HttpClient,
  start: URL,
  credential: OriginHeaders | null,
  depth: 'safe' | 'full',
  limit: number,
): Promise<Assessment<HttpResponse>> {
  let url = start;
  try {
    for (let hops = 0; hops <= maxRedirects; hops += 1) {
      const value = await client.request(url, {
        depth,
        ...requestFor(url, credential),
        readLimit: limit,
        keepLimit: limit,
        encoding: 'utf8',
      });
      const next = redirectTarget(value);
      if (next === null) return { assessed: true, value };
      if (!isSameSite(hostnameOf(start), hostnameOf(next))) {
        return { assessed: false, reason: 'The script is redirected to another site.' };
      }
      url = next;
    }
    return { assessed: false, reason: 'The redirects of a script lead nowhere.' };
  } catch (error) {
    return { assessed: false, reason: reasonFor(error) };
  }
}

/** Tells scripts from error pages, and those that are certain from those that may only be meant for the scan. */
function judged(response: HttpResponse): Assessment<HttpResponse> {
  const { status, body } = response;
  if (status === 404 || status === 410) return { assessed: true, value: { ...response, body: '' } };
  if (status !== 200) return { assessed: false, reason: `A script answers the scan with status ${status}.` };
  if (response.body_unread !== null) return { assessed: false, reason: response.body_unread };
  // Browsers run scripts that are called pages: what is none begins with a tag, which no script does.
  const saysPage = ['text/html', 'application/xhtml+xml'].includes(mediaTypeOf(response.headers));
  const isPage = (saysPage ? /^\s*<(?!!--)/ : /^\s{0,200}<(?:!doctype|html|head|body)\b/i).test(
    body.slice(0, 300),
  );
  return { assessed: true, value: isPage ? { ...response, body: '' } : response };
}
