import { type OriginKind, originKinds } from '../../captures/origin-kinds.ts';
import { isMasked, permissionAt, permissionOfOrigin } from '../../captures/places.ts';
import { isSameSite } from './navigate.ts';
import { linkMayAct } from './offers/acting-words.ts';

/** An endpoint, and the kinds of origins whose permission there is an open finding. */
export interface Endpoint {
  readonly url: URL;
  readonly open: ReadonlySet<OriginKind>;
  /** It has an open finding. */
  readonly isOpen: boolean;
}

/** Endpoints of open findings that one scan requests again. */
const most = 3;

/** The kinds of origins that are open findings of this origin's pages. */
export function openAtOrigin(origin: string, places: readonly string[]): ReadonlySet<OriginKind> {
  return new Set(originKinds.filter(kind => places.includes(permissionOfOrigin(origin, kind))));
}

/**
 * The endpoints to request: those of open findings, also if the page no longer names them, then the others.
 *
 * @param named by the page and its scripts
 * @param places locators of open findings
 */
export function endpointsToAsk(
  named: readonly URL[],
  places: readonly string[],
  { hostname, pageOrigin }: { readonly hostname: string; readonly pageOrigin: string },
): readonly Endpoint[] {
  const open = new Map<string, Set<OriginKind>>();
  for (const place of places) {
    if (isMasked(place)) continue;
    const { url, kind } = permissionAt(place) ?? formerOrigin(place) ?? { url: '', kind: '' };
    if (url === '' || new URL(url).href === `${pageOrigin}/`) continue;
    const known = open.get(url) ?? new Set();
    for (const one of originKinds) if (one === kind) known.add(one);
    open.set(url, known);
  }
  const withoutQuery = (url: URL) => url.origin + url.pathname;
  const ofNames = new Map(named.map(url => [withoutQuery(url), url]));
  const again = [...open]
    .map(([url, open]) => ({ url: ofNames.get(url) ?? new URL(url), open, isOpen: true }))
    .filter(({ url }) => isSameSite(hostname, url.hostname) && !linkMayAct(url, []))
    .slice(0, most);
  const isAgain = new Set(again.map(({ url }) => withoutQuery(url)));
  const others = named.filter(url => !isAgain.has(withoutQuery(url)));
  return [...again, ...others.map(url => ({ url, open: new Set<OriginKind>(), isOpen: false }))];
}

/** The page of a site may move to another origin, and the former one still allow others. */
function formerOrigin(place: string): { url: string; kind: string } | null {
  const [origin = '', kind = '*', ...rest] = place.split(' ');
  const isPermission = rest.length === 0 && (kind === '*' || originKinds.some(one => one === kind));
  return isPermission && URL.canParse(origin) && new URL(origin).origin === origin
    ? { url: `${origin}/`, kind }
    : null;
}
