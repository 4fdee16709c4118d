import { isMasked, urlOfPlace } from '../../captures/places.ts';
import type { OriginExposure } from '../../captures/website.ts';
import { ExposureProbing } from './exposure.ts';
import type { HttpClient } from './http-client.ts';
import { isSameSite } from './navigate.ts';
import { pathsAt } from './reach.ts';

/** Places that one scan requests at other origins, with two control requests for each origin. */
const most = 3;

/**
 * Requests the places of open findings at other origins of the site: a site that moves its page, for instance from HTTP
 * to HTTPS, may still serve the files at the old origin.
 *
 * @param origin the origin of all other requests for exposed files
 * @param places locators; those that are not URLs, are at `origin` or are of another site are left out
 */
export async function probeElsewhere(
  client: HttpClient,
  { hostname, origin }: { readonly hostname: string; readonly origin: string },
  places: readonly string[],
): Promise<OriginExposure[]> {
  const probings = new Map<string, ExposureProbing>();
  const urls = [...new Set(places)].flatMap(place => (isMasked(place) ? [] : (urlOfPlace(place) ?? [])));
  const isElsewhere = (url: URL) => url.origin !== origin && isSameSite(hostname, url.hostname);
  for (const url of urls.filter(isElsewhere).slice(0, most)) {
    const probing = probings.get(url.origin) ?? (await ExposureProbing.begin(client, url.origin));
    probings.set(url.origin, probing);
    await probing.ask(pathsAt(url.href, hostname), 'safe');
  }
  const ended: OriginExposure[] = [];
  for (const probing of probings.values()) ended.push(await probing.end());
  return ended;
}
