/** Locators of findings that have no URL. Detectors write them; a surface reads them to verify a finding. */

/** Replaces a secret in a locator: such a place cannot be requested again. */
export const mask = '[masked]';

export const isMasked = (place: string): boolean => place.includes(mask);

/** One place for all source maps of a site, since script names contain build hashes. */
export const sourceMapsOf = (origin: string): string => `${origin} source map`;

export const isOfSourceMaps = (place: string): boolean => place.endsWith(' source map');

/** @param place URL of a page or script without its query; in a script's, `*` replaces what changes with each build */
export const secretOf = (kind: string, place: string): string => `${kind} ${place}`;

/** The kind and the URL of such a place; null for any other. */
export function secretAt(place: string): { kind: string; url: string } | null {
  const [, kind, url] = /^([a-z0-9_-]+) (https?:\S+)$/.exec(place) ?? [];
  return kind === undefined || url === undefined || !URL.canParse(url) ? null : { kind, url };
}

/** @param url without its query */
export const parameterOf = (url: string, name: string): string => `${url} parameter ${name}`;

/** The URL and the query parameter of such a place; null for any other. */
export function parameterAt(place: string): { url: string; name: string } | null {
  const [, url, name] = /^(\S+) parameter (.*)$/s.exec(place) ?? [];
  return url === undefined || name === undefined ? null : { url, name };
}

/** A place of an origin's permissions. The kind is that of the origin that was sent, or `*` where the response allows every origin. */
export interface Permission {
  readonly url: string;
  readonly kind: string;
}

/** @param url of an endpoint, without its query. The page has the place of its origin. */
export function permissionOf({ url, kind }: Permission): string {
  const { origin, pathname } = new URL(url);
  return pathname === '/' ? permissionOfOrigin(origin, kind) : `${url} origin ${kind}`;
}

export const permissionOfOrigin = (origin: string, kind: string): string =>
  kind === '*' ? origin : `${origin} ${kind}`;

/** The endpoint and the kind of such a place; null for any other. */
export function permissionAt(place: string): Permission | null {
  const [, url, kind] = /^(https?:\S+) origin (\S+)$/.exec(place) ?? [];
  return url === undefined || kind === undefined || !URL.canParse(url) ? null : { url, kind };
}

const ofFullScan = /(?:, full scan|#full-scan)$/;

/** What only full scans read has places of its own, which safe scans leave as they are. */
export const inFullScan = (place: string): string =>
  urlOfPlace(place) === null ? `${place}, full scan` : `${place}#full-scan`;

/** The checks with such places. Names in those of others, such as of a table, may end alike. */
const ofDepths = /^(?:cors|exposure|libraries)\./;

export const isInFullScan = (check: string, place: string): boolean =>
  ofDepths.test(check) && ofFullScan.test(place);

/** The origin whose certificate has the finding at this place; null for any other place. */
export function certifiedAt(place: string): URL | null {
  const [origin = '', what] = place.split(' ', 2);
  const isOfCertificate = what === undefined || what === 'certificate' || what === 'issuer';
  return isOfCertificate && URL.canParse(origin) && new URL(origin).origin === origin
    ? new URL(origin)
    : null;
}

/** Stands for a place and all that follow it after a space, in the places that a scan assessed. */
export const allAt = (place: string): string => `${place} *`;

/** The URL of a file, folder or page; null for any other place. */
export function urlOfPlace(place: string): URL | null {
  if (place.includes(' ') || !URL.canParse(place)) return null;
  const url = new URL(place);
  return /^https?:$/.test(url.protocol) && place !== url.origin ? url : null;
}

/** Whether the place is that of one file, page or endpoint, not of a whole origin. */
export const hasPath = (place: string): boolean => urlOfPlace(place) !== null || permissionAt(place) !== null;

/** The names that earlier versions gave a place. */
export function formerPlaces(check: string, place: string): readonly string[] {
  if (!ofDepths.test(check)) return [];
  if (isInFullScan(check, place)) {
    const plain = place.replace(ofFullScan, '');
    return [plain, ...formerPlaces(check, plain)];
  }
  const permission = permissionAt(place);
  return permission === null ? [] : [permissionOfOrigin(new URL(permission.url).origin, permission.kind)];
}

/** Instead of a parameter’s name, for the last part of a path. */
export const pathSegment = 'in the path';

/** Instead of a parameter’s name, for a field that is sent with POST. */
export const formField = (name: string): string => `${name} of a form`;

const isFormField = (name: string): boolean => name.endsWith(' of a form');

/** Whether a place’s name is that of a query parameter. */
export const isInQuery = (name: string): boolean => name !== pathSegment && !isFormField(name);
