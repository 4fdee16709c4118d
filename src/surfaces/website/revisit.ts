import { type Assessment, notAssessed } from '../../captures/assessment.ts';
import { isMasked, secretAt } from '../../captures/places.ts';
import { isGone } from '../../captures/statuses.ts';
import type { HttpResponse, PageScript, RevisitedText } from '../../captures/website.ts';
import { reasonFor } from './failure.ts';
import { type HttpClient, isRedirect } from './http-client.ts';
import { isSameSite, type OriginHeaders, requestFor } from './navigate.ts';

/** Places of open findings that one scan requests again. */
const most = 5;
const textBytes = 2 * 1024 * 1024;
/** Source maps carry the text of many files. */
const mapBytes = 8 * 1024 * 1024;

/** What the scan has read of the site. */
interface Read {
  readonly hostname: string;
  readonly page: HttpResponse;
  readonly scripts: readonly PageScript[];
}

/**
 * Requests pages and scripts again where a secret was found, and which the scan has not otherwise read: they may still
 * be served although the page has moved, or loads another script now.
 *
 * @param places locators of open findings; those that are not secrets are left out
 */
export async function revisit(
  client: HttpClient,
  read: Read,
  places: readonly string[],
  credential: OriginHeaders | null,
): Promise<RevisitedText[]> {
  const seen = new Set([read.page, ...readScripts(read.scripts)].map(({ url }) => url.split('?', 1)[0]!));
  const answers = new Map<string, Assessment<HttpResponse>>();
  const revisited: RevisitedText[] = [];
  for (const { kind, url } of places.flatMap(place => secretAt(place) ?? [])) {
    if (seen.has(url) || isOfThisBuild(url, seen)) continue;
    const response = answers.get(url) ?? (await answerAt(client, read, url, answers.size, credential));
    answers.set(url, response);
    revisited.push({ kind, url, response });
  }
  return revisited;
}

/** An empty or missing script may be hidden from the scan only. */
function readScripts(scripts: readonly PageScript[]): readonly HttpResponse[] {
  return scripts.flatMap(({ response }) =>
    response.assessed && (response.value.body !== '' || response.value.status !== 200)
      ? [response.value]
      : [],
  );
}

/** A script whose name changes with each build, in a folder from which the scan has read a script. */
function isOfThisBuild(url: string, seen: ReadonlySet<string>): boolean {
  const at = url.indexOf('*');
  const folder = url.slice(0, url.lastIndexOf('/', at) + 1);
  return at !== -1 && [...seen].some(read => read.startsWith(folder) && !read.endsWith('/'));
}

async function answerAt(
  client: HttpClient,
  { hostname }: Read,
  url: string,
  asked: number,
  credential: OriginHeaders | null,
): Promise<Assessment<HttpResponse>> {
  if (asked >= most)
    return notAssessed(`More than ${most} places of open findings would have to be requested again.`);
  if (url.includes('*')) return notAssessed('A script of an open finding has another name after each build.');
  if (isMasked(url)) return notAssessed('The place of an open finding contains a secret.');
  const target = new URL(url);
  if (!isSameSite(hostname, target.hostname)) return notAssessed('An open finding is at another site.');
  const limit = target.pathname.endsWith('.map') ? mapBytes : textBytes;
  try {
    const response = await client.request(target, {
      depth: 'safe',
      ...requestFor(target, credential),
      readLimit: limit,
      keepLimit: limit,
      encoding: 'utf8',
    });
    const { status, body, body_unread } = response;
    if (isGone(status)) return { assessed: true, value: { ...response, body: '' } };
    if (isRedirect(status)) return notAssessed('The place of an open finding is redirected.');
    if (status !== 200) return notAssessed(`The place of an open finding returns status ${status}.`);
    if (body_unread !== null) return notAssessed(body_unread);
    return body.trim() === ''
      ? notAssessed('The place of an open finding is empty.')
      : { assessed: true, value: response };
  } catch (error) {
    return notAssessed(reasonFor(error));
  }
}
