import type { IncomingMessage } from 'node:http';

/**
 * The path that is signed and routed: the request target as sent, without the query string, and without the prefix under
 * which a proxy in front serves us (`PARAPET_PUBLIC_PREFIX`), which `withoutPrefix` has removed. Never decoded.
 */
export function pathnameOf(request: IncomingMessage): string {
  const target = request.url ?? '/';
  const query = target.indexOf('?');
  return query === -1 ? target : target.slice(0, query);
}

/** Whether a path belongs to the interface: there everything is authenticated, also what does not exist. */
export function isSignedPath(pathname: string): boolean {
  return /^\/(api\/v1|functions\/v1)(\/|$)/.test(pathname);
}

/** The request target without the public prefix, whichever of both a proxy passes on. */
export function withoutPrefix(target: string, prefix: string): string {
  const path = target.startsWith('/') ? target : originForm(target);
  if (prefix === '' || !path.startsWith(prefix)) return path;
  const rest = path.slice(prefix.length);
  return rest === '' || rest.startsWith('?') ? `/${rest}` : rest.startsWith('/') ? rest : path;
}

/** A client may send the whole URL as request target (RFC 9112, section 3.2.2). */
function originForm(target: string): string {
  const match = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*([^#]*)/i.exec(target);
  const path = match?.[1] ?? '/';
  return path.startsWith('/') ? path : `/${path}`;
}
