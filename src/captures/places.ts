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

/** Instead of a parameter’s name, for the last part of a path. */
export const pathSegment = 'in the path';

/** Instead of a parameter’s name, for a field that is sent with POST. */
export const formField = (name: string): string => `${name} of a form`;

const isFormField = (name: string): boolean => name.endsWith(' of a form');

/** Whether a place’s name is that of a query parameter. */
export const isInQuery = (name: string): boolean => name !== pathSegment && !isFormField(name);
