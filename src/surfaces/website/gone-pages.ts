import { isGone, isPermanent } from '../../captures/statuses.ts';
import type { HttpResponse } from '../../captures/website.ts';
import { assess } from './failure.ts';
import type { HttpClient } from './http-client.ts';
import { isSameSite, type OriginHeaders, requestFor } from './navigate.ts';

/** Former pages that one scan requests. */
const most = 3;

/** The body is not needed. */
const statusOnly = { readLimit: 1024, keepLimit: 0, encoding: 'latin1' } as const;

/**
 * The former pages of the site that are gone, together with what was found on them. Pages that this scan visited are
 * left out, as are addresses of other sites.
 *
 * @param formerPages URLs without queries, most important first
 */
export async function gonePages(
  client: HttpClient,
  { hostname, visited }: { readonly hostname: string; readonly visited: readonly HttpResponse[] },
  formerPages: readonly string[],
  credential: OriginHeaders | null,
): Promise<string[]> {
  const passed = new Set(visited.map(({ url }) => url.split(/[?;]/, 1)[0]));
  const ofSite = (page: string) => URL.canParse(page) && isSameSite(hostname, new URL(page).hostname);
  const asked = formerPages.filter(page => ofSite(page) && !passed.has(page)).slice(0, most);
  const gone: string[] = [];
  for (const page of asked) {
    const url = new URL(page);
    const answer = await assess(
      client.request(url, { depth: 'safe', ...statusOnly, ...requestFor(url, credential) }),
    );
    if (answer.assessed && (isGone(answer.value.status) || isPermanent(answer.value.status))) gone.push(page);
  }
  return gone;
}
