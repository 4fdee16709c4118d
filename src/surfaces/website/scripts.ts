import { type Assessment, notAssessed } from '../../captures/assessment.ts';
import { isChallengeHeader } from '../../captures/challenge-header.ts';
import { isXml, mediaTypeOf } from '../../captures/media-type.ts';
import { PageAddresses, parseUrl } from '../../captures/page-addresses.ts';
import { readTags } from '../../captures/read-tags.ts';
import { isRunnable, sourceOf } from '../../captures/script-element.ts';
import { isGone } from '../../captures/statuses.ts';
import type { HttpResponse, PageScript } from '../../captures/website.ts';
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
 * Fetches the scripts that a page loads from its own site, in the order of the page, and the modules that they import.
 * Scripts of other sites are not requested: their owners have authorized nothing, and the page's markup names them.
 *
 * A script beyond the limits is in the list as not assessed. A script that no browser runs is in the list with an empty
 * body: one that is gone, or is answered by the page itself, as single-page applications answer every path.
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
  const queue = new Map(urls.map(url => [url.href, url]));
  // Imported modules are appended, and read after all earlier ones.
  for (const url of queue.values()) {
    if (asked >= maxScripts) stop ??= `The scan reads at most ${maxScripts} scripts of a page.`;
    if (bytesLeft === 0) stop ??= 'The scripts of the page are larger in total than the scan reads.';
    if (stop !== null) {
      scripts.push({ url: url.href, response: notAssessed(stop) });
      continue;
    }
    asked += 1;
    const depth = asked > safely.scripts ? 'full' : 'safe';
    const response = await fetchScript(client, url, credential, depth, Math.min(scriptBytes, bytesLeft));
    const read = response.assessed ? judged(response.value, url, page) : response;
    scripts.push({ url: url.href, response: read });
    if (!response.assessed) continue;
    if (read.assessed) {
      for (const imported of importsOf(read.value.body, response.value.url, page))
        if (queue.size < maxNamed) queue.set(imported.href, imported);
    }
    bytesLeft = Math.max(0, bytesLeft - Buffer.byteLength(response.value.body));
  }
  if (gap !== null) scripts.push({ url: page.url, response: notAssessed(gap) });
  return scripts;
}

/** The URLs of the page's own scripts, each once; at most 100. `gap` has the reason for missing ones. */
function ownScripts(page: HttpResponse): { urls: readonly URL[]; gap: string | null } {
  const type = mediaTypeOf(page.headers);
  if (!['', 'text/html', 'application/xhtml+xml'].includes(type)) return { urls: [], gap: null };
  const found = new Map<string, URL>();
  const addresses = new PageAddresses(page.url);
  let isFull = false;
  let mayForbidBase = page.headers.some(
    ([name, value]) => name === 'content-security-policy' && /base-uri/i.test(value),
  );
  const ofXml = isXml(type)
    ? 'The page is XML, which loads different scripts than the same text as HTML.'
    : null;
  let named: string | null = null;
  let within = '';
  let inline = '';
  const ofTags = readTags(page.body, {
    onOpen(name, attributes) {
      within = name;
      if (name === 'script' && namesOthers(attributes)) named = ofNames;
      if (name === 'base' && attributes.href !== undefined) addresses.setBase(attributes.href);
      if (name === 'meta' && /base-uri/i.test(attributes.content ?? '')) mayForbidBase = true;
      const reference = scriptReference(name, attributes);
      if (reference === undefined || reference.trim() === '' || isFull) return;
      const url = addresses.resolve(reference);
      if (url === null) return;
      url.hash = '';
      if (!isOwn(url, page)) return;
      if (found.size < maxNamed || found.has(url.href)) found.set(url.href, url);
      else isFull = true;
    },
    onText(text) {
      if (within === 'script') inline += text;
    },
    onClose() {
      within = '';
    },
  });
  for (const url of importsOf(inline, addresses.base, page))
    if (found.size < maxNamed) found.set(url.href, url);
  const isElsewhere = new URL(addresses.base).origin !== new URL(page.url).origin;
  const ofBase =
    isElsewhere && mayForbidBase ? 'The page’s policy may forbid the base of its scripts.' : null;
  return {
    urls: [...found.values()],
    gap: isFull
      ? `The page loads more than ${maxNamed} scripts.`
      : (ofXml ?? addresses.gap ?? ofTags ?? ofBase ?? named),
  };
}

/** An import map (HTML, 4.12.1), or RequireJS: both load scripts by name. */
const namesOthers = (attributes: Record<string, string>) =>
  attributes.type?.trim().toLowerCase() === 'importmap' || attributes['data-main'] !== undefined;
const ofNames = 'The page loads scripts by name, which the scan does not resolve.';

/** The site's own modules that a script or an inline script of the page imports by URL, each once. */
function importsOf(text: string, base: string, page: HttpResponse): URL[] {
  const found = new Map<string, URL>();
  for (const [, , reference] of text.matchAll(imported)) {
    const url = parseUrl(reference!, base);
    if (url === null || !isOwn(url, page)) continue;
    url.hash = '';
    found.set(url.href, url);
    if (found.size === maxNamed) break;
  }
  return [...found.values()];
}

/** A specifier that begins like a URL (HTML, 8.1.6.2): others are resolved by an import map. */
const imported = /(?<![\w$.])(?:from|import)\s{0,20}(["'])((?:\.{0,2}\/|https?:\/\/)[^"'\\\s]{1,2000})\1/g;

function isOwn(url: URL, page: HttpResponse): boolean {
  const isHttp = url.protocol === 'https:' || url.protocol === 'http:';
  const hasNoUser = url.username === '' && url.password === '';
  return isHttp && hasNoUser && isSameSite(hostnameOf(new URL(page.url)), hostnameOf(url));
}

/** The script that an element loads in current browsers: data blocks and `nomodule` scripts do not run. */
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
        return notAssessed('The script is redirected to another site.');
      }
      url = next;
    }
    return notAssessed('The redirects of a script could not be followed.');
  } catch (error) {
    return notAssessed(reasonFor(error));
  }
}

/** Media types that no site uses for scripts, and that most services use for other answers. */
const otherKinds =
  /^(?:(?:image|audio|video|font)\/|text\/(?:css|csv|xml)$|application\/(?:json|xml|pdf|zip)$)|\+(?:json|xml)$/;

/**
 * Distinguishes scripts from error pages, and responses that every visitor gets from those that may be meant only for
 * the scan.
 */
function judged(response: HttpResponse, asked: URL, page: HttpResponse): Assessment<HttpResponse> {
  const { status, body } = response;
  // If a script redirects to something else, such as a login page, other visitors may still get the script.
  const runsNowhere: Assessment<HttpResponse> =
    response.url === asked.href
      ? { assessed: true, value: { ...response, body: '' } }
      : notAssessed('A script is redirected to a response that is not a script.');
  if (isGone(status)) return runsNowhere;
  if (status !== 200) return notAssessed(`A script answers the scan with status ${status}.`);
  if (response.body_unread !== null) return notAssessed(response.body_unread);
  if (response.headers.some(isChallengeHeader))
    return notAssessed('A bot protection service answers instead of a script.');
  const type = mediaTypeOf(response.headers);
  if (otherKinds.test(type)) return notAssessed(`The server returned ${type} instead of a script.`);
  if (body === page.body) return runsNowhere;
  const { start, hasCode } = withoutComments(body);
  // Browsers run scripts of almost any type, but none that begins with a tag.
  if (start.startsWith('<')) return notAssessed('The server returned a page instead of a script.');
  if (isData(body)) return notAssessed('The server returned data instead of a script.');
  // A script with a script type may be empty. Text of another type may be a message.
  return hasCode || isScriptType(type)
    ? { assessed: true, value: response }
    : notAssessed('The server returned text without code instead of a script.');
}

const isScriptType = (type: string) => /^(?:text|application)\/(?:x-)?(?:java|ecma)script$/.test(type);

/**
 * The beginning of a script after its comments, including HTML-like ones (ECMAScript, B.1.1), and whether it contains
 * code.
 */
function withoutComments(body: string): { start: string; hasCode: boolean } {
  const comment = /[\s\ufeff;]+|\/\*[\s\S]*?\*\/|\/\/[^\n]*|<!--(?:[^\n]*?-->|[^\n]*)/y;
  let at = 0;
  for (comment.lastIndex = 0; comment.test(body); ) at = comment.lastIndex;
  return { start: body.slice(at, at + 20), hasCode: /[(){}=]/.test(body.slice(at)) };
}

function isData(body: string): boolean {
  if (!/^[\s\ufeff]*[[{"]/.test(body)) return false;
  try {
    JSON.parse(body);
    return true;
  } catch {
    return false;
  }
}
