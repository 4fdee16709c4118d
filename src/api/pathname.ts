import type { IncomingMessage } from 'node:http';

/**
 * The path that is signed: the request target as sent, without query and fragment, and without the prefix under which a
 * proxy in front serves us (`PARAPET_PUBLIC_PREFIX`), which `withoutPrefix` has removed. Never decoded.
 */
export function pathnameOf(request: IncomingMessage): string {
  return beforeQuery(request.url ?? '/');
}

/** Whether a route's pattern belongs to the signed interface. */
export function isSignedPath(pathname: string): boolean {
  return /^\/(api\/v1|functions\/v1)(\/|$)/.test(pathname);
}

/** The request target without the public prefix, whichever of both a proxy passes on. */
export function withoutPrefix(target: string, prefix: string): string {
  const path = originForm(target);
  if (prefix === '' || !path.startsWith(prefix)) return path;
  const rest = path.slice(prefix.length);
  return rest === '' || rest.startsWith('?') ? `/${rest}` : rest.startsWith('/') ? rest : path;
}

/** A client may send the whole URL as request target (RFC 9112, section 3.2.2). */
function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const path = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*([^#]*)/i.exec(target)?.[1] ?? target;
  return path.startsWith('/') ? path : `/${path}`;
}

function beforeQuery(target: string): string {
  const end = target.search(/[?#]/);
  return end === -1 ? target : target.slice(0, end);
}

/** Characters of a path that is decoded. */
const longestDecoded = 2_048;

/**
 * Whether a request target that no signed route matches names a signed path in some spelling: percent-encoded (also repeatedly),
 * with repeated slashes, dot segments, backslashes, path parameters, in another case, as a whole URL, with the public prefix
 * in any of these spellings. In doubt it does, as where it is long and encoded: such a request is answered 401 instead of 404.
 *
 * @param target as it came, with the public prefix
 */
export function namesSignedPath(target: string, prefix: string): boolean {
  const sent = beforeQuery(originForm(target));
  // To decode it five times would take a millisecond.
  if (sent.length > longestDecoded && sent.includes('%')) return true;
  const path = decoded(sent);
  if (path === undefined) return true;
  const segments = path
    .replaceAll('\\', '/')
    .split('/')
    .map(segment => segment.replace(/;.*/s, '').replace(/[\0- ]/g, ''))
    .filter(segment => segment !== '' && segment !== '.');
  const own = prefix.toLowerCase().split('/').filter(Boolean);
  // What follows two slashes may be read as a host.
  const afterHost = /^[\\/]{2}/.test(path) ? withoutDots(segments.slice(1)) : [];
  return [segments, withoutDots(segments), afterHost].some(
    spelling => isSigned(spelling) || (startsWith(spelling, own) && isSigned(spelling.slice(own.length))),
  );
}

/** Decoded until nothing is left to decode, and undefined where that takes too often; what is malformed stays. */
function decoded(text: string): string | undefined {
  let current = text.toLowerCase();
  for (let round = 0; round < 5; round++) {
    const next = current.replace(/%([0-9a-f]{2})/g, (_, hex) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    if (next === current) return current;
    current = next.toLowerCase();
  }
  return undefined;
}

function withoutDots(segments: readonly string[]): string[] {
  const kept: string[] = [];
  for (const segment of segments) {
    if (segment === '..') kept.pop();
    else kept.push(segment);
  }
  return kept;
}

/** An encoded `?` or `#` ends the path for a proxy that decodes before it parses. */
function isSigned([first, second = '']: readonly string[]): boolean {
  return (first === 'api' || first === 'functions') && /^v1([?#]|$)/.test(second);
}

function startsWith(segments: readonly string[], prefix: readonly string[]): boolean {
  return prefix.every((segment, index) => segments[index] === segment);
}
