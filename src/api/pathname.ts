import type { IncomingMessage } from 'node:http';

/**
 * The signed path: the request target as sent, without query, fragment and public prefix (`PARAPET_PUBLIC_PREFIX`, removed by
 * `withoutPrefix`). Never decoded.
 */
export function pathnameOf(request: IncomingMessage): string {
  return beforeQuery(request.url ?? '/');
}

/** Whether a route pattern belongs to the signed API. */
export function isSignedPath(pathname: string): boolean {
  return /^\/(api\/v1|functions\/v1)(\/|$)/.test(pathname);
}

/** Removes the public prefix from a request target. Some proxies remove it themselves. */
export function withoutPrefix(target: string, prefix: string): string {
  const path = originForm(target);
  if (prefix === '' || !path.startsWith(prefix)) return path;
  const rest = path.slice(prefix.length);
  return rest === '' || rest.startsWith('?') ? `/${rest}` : rest.startsWith('/') ? rest : path;
}

/** A client may send an absolute URL as request target (RFC 9112, section 3.2.2). */
function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const path = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*([^#]*)/i.exec(target)?.[1] ?? target;
  return path.startsWith('/') ? path : `/${path}`;
}

function beforeQuery(target: string): string {
  const end = target.search(/[?#]/);
  return end === -1 ? target : target.slice(0, end);
}

/** Maximum length of a path that is decoded. */
const longestDecoded = 2_048;

/**
 * Whether an unmatched request target is a variant spelling of a signed path: percent-encoded (also repeatedly), with repeated slashes,
 * dot segments, backslashes or path parameters, in another case, as an absolute URL, or with the public prefix. Ambiguous targets count
 * as signed, and are answered with 401 instead of 404.
 *
 * @param target as received, with the public prefix
 */
export function namesSignedPath(target: string, prefix: string): boolean {
  const sent = beforeQuery(originForm(target));
  // Decoding it five times would take a millisecond.
  if (sent.length > longestDecoded && sent.includes('%')) return true;
  const path = decoded(sent);
  if (path === undefined) return true;
  const segments = path
    .replaceAll('\\', '/')
    .split('/')
    .map(segment => segment.replace(/;.*/s, '').replace(/[\0- ]/g, ''))
    .filter(segment => segment !== '' && segment !== '.');
  const own = prefix.toLowerCase().split('/').filter(Boolean);
  // Some parsers treat the segment after two slashes as a host.
  const afterHost = /^[\\/]{2}/.test(path) ? withoutDots(segments.slice(1)) : [];
  return [segments, withoutDots(segments), afterHost].some(
    spelling => isSigned(spelling) || (startsWith(spelling, own) && isSigned(spelling.slice(own.length))),
  );
}

/** Decodes repeatedly; undefined if more than four rounds are needed. Malformed sequences are kept. */
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

/** An encoded `?` or `#` ends the path for proxies that decode before parsing. */
function isSigned([first, second = '']: readonly string[]): boolean {
  return (first === 'api' || first === 'functions') && /^v1([?#]|$)/.test(second);
}

function startsWith(segments: readonly string[], prefix: readonly string[]): boolean {
  return prefix.every((segment, index) => segments[index] === segment);
}
