import { isPermanent } from '../../captures/statuses.ts';
import type { HttpResponse, WebsiteCapture } from '../../captures/website.ts';
import type { Check, Detector } from '../detector.ts';
import { beginningOf } from '../mask-secrets.ts';
import { redirectTarget } from './response.ts';

/**
 * For checks of the page that the source's URL leads to, which may differ between scans. URLs with a permanent redirect, and those of
 * former pages that are gone, are covered by the current page. Temporary redirects may change, or send others elsewhere: to a login, a
 * choice of languages, a wall.
 */
export function pageSubject(checks: readonly Check[]): NonNullable<Detector<WebsiteCapture>['perSubject']> {
  return {
    checks,
    subjectOf({ page, https, http, gone_pages }) {
      if (!page.assessed) return null;
      const visits = visited({ https, http });
      const { url } = page.value;
      const at = isLedToItself({ https, http }, url) ? addressWithNames(url) : addressOf(url);
      const passed = visits.filter(isLeftForGood).map(({ url }) => addressOf(url));
      return { at, covers: [...new Set([at, ...passed, ...gone_pages])] };
    },
  };
}

/** A permanent redirect (RFC 9110, 15.4.2 and 15.4.9), or one to the same address over TLS. */
function isLeftForGood(response: HttpResponse): boolean {
  const target = redirectTarget(response);
  if (target === null) return false;
  const [from, to] = [new URL(response.url), new URL(target)];
  const isUpgrade = from.protocol === 'http:' && to.protocol === 'https:' && from.pathname === to.pathname;
  return isPermanent(response.status) || (isUpgrade && from.hostname === to.hostname);
}

/**
 * A temporary redirect to the same URL with another query, such as by a site that tests for cookies: the content with that query may
 * differ from what others get.
 */
export function isLedToItself(visits: Visits, end: string): boolean {
  return visited(visits).some(response => {
    const target = redirectTarget(response);
    if (target === null || isPermanent(response.status)) return false;
    const isQueryOnly = addressOf(response.url) === addressOf(target) && response.url !== target;
    return isQueryOnly && addressOf(target) === addressOf(end);
  });
}

type Visits = Pick<WebsiteCapture, 'https' | 'http'>;

const visited = ({ https, http }: Visits) =>
  [https, http].flatMap(visit => (visit.assessed ? visit.value.responses : []));

/** With the query's names, but not its values, which may differ or be secret. */
export function addressWithNames(url: string): string {
  const names = [...new Set(new URL(url).searchParams.keys())].sort().join('&');
  return names === '' ? addressOf(url) : `${addressOf(url)}?${beginningOf(names, 100)}`;
}

/** Without parts that may differ between visits: the query, and path parameters such as a session ID. */
function addressOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname.split(';', 1)[0]!;
}
