import { type Assessment, notAssessed } from '../../captures/assessment.ts';
import type { HttpResponse, PageScript } from '../../captures/website.ts';
import { reasonFor } from './failure.ts';
import { type HttpClient, hostnameOf } from './http-client.ts';
import { judgeScript } from './judge-script.ts';
import { isSameSite, type OriginHeaders, redirectTarget, requestFor } from './navigate.ts';
import { isOwn, maxNamed, scriptsOfPage } from './page-scripts.ts';
import type { Reach } from './reach.ts';
import { referencesIn, type ScriptReference } from './script-references.ts';

const maxRedirects = 3;

/** Bytes of one script, and of all scripts of a page, that are received and kept. */
const scriptBytes = 2 * 1024 * 1024;
const allScriptsBytes = 5 * 1024 * 1024;

/**
 * Fetches the scripts that a page loads from its own site, in the order of the page, then the modules that they import, then the chunks
 * that they may load later, most important first. Scripts of other sites are not requested: their owners have authorized nothing, and the
 * page's markup names them.
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
  let namesMore = false;
  const { references, imports, gap } = scriptsOfPage(page);
  const queue = new ScriptQueue(references);
  while (asked < maxScripts && bytesLeft > 0) {
    const url = queue.next();
    if (url === null) break;
    asked += 1;
    const depth = asked > safely.scripts ? 'full' : 'safe';
    const response = await fetchScript(client, url, credential, depth, Math.min(scriptBytes, bytesLeft));
    const read = response.assessed ? judgeScript(response.value, url, page) : response;
    scripts.push({ url: url.href, response: read });
    if (!response.assessed) continue;
    if (read.assessed) {
      const named = referencesIn(read.value.body, new URL(response.value.url), imports);
      namesMore ||= named.isFull;
      queue.add(named.references.filter(({ url }) => isOwn(url, page)));
    }
    bytesLeft = Math.max(0, bytesLeft - Buffer.byteLength(response.value.body));
  }
  const stop =
    bytesLeft === 0
      ? 'The scripts of the page are larger in total than the scan reads.'
      : `The scan reads at most ${maxScripts} scripts of a page.`;
  for (const url of queue.left()) scripts.push({ url: url.href, response: notAssessed(stop) });
  const ofScripts =
    queue.isFull || namesMore ? `The scripts of the page name more than ${maxNamed} others.` : null;
  const missing = gap ?? imports.gap ?? ofScripts;
  if (missing !== null) scripts.push({ url: page.url, response: notAssessed(missing) });
  return scripts;
}

/** Names of scripts with an application's own code, and of those that hardly contain any. */
const important =
  /(?:^|[/._-])(?:admin|api|app|auth|bundle|client|common|config|env|firebase|index|main|runtime|settings|vendors?)(?=[/._-]|$)/i;
const dull =
  /(?:^|[/._-])(?:analytics|emoji|flags?|fonts?|i18n|icons?|lang(?:uages?)?|legacy|locales?|polyfills?|prism|sw|themes?|translations?|worker|workbox)(?=[/._-]|$)/i;

/** Scripts to read, each once: those of the page first, then by when they are loaded and how important their name is. */
class ScriptQueue {
  readonly #known = new Set<string>();
  #isFull = false;
  readonly #ranks: readonly URL[][] = Array.from({ length: 5 }, () => []);

  constructor(ofPage: readonly ScriptReference[]) {
    for (const { url, loading } of ofPage) this.#put(url, loading === 'at_once' ? 0 : rankOf(url));
  }

  add(references: readonly ScriptReference[]): void {
    for (const { url, loading } of references) this.#put(url, loading === 'at_once' ? 1 : rankOf(url));
  }

  next(): URL | null {
    return this.#ranks.find(urls => urls.length > 0)?.shift() ?? null;
  }

  left(): URL[] {
    return this.#ranks.flat();
  }

  get isFull(): boolean {
    return this.#isFull;
  }

  #put(url: URL, rank: number): void {
    if (this.#known.has(url.href)) return;
    this.#isFull ||= this.#known.size >= maxNamed;
    if (this.#isFull) return;
    this.#known.add(url.href);
    this.#ranks[rank]!.push(url);
  }
}

function rankOf({ pathname }: URL): number {
  if (dull.test(pathname)) return 4;
  return important.test(pathname.slice(pathname.lastIndexOf('/'))) ? 2 : 3;
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
