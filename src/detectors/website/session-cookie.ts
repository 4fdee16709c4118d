import { type Cookie, parseSetCookie } from 'set-cookie-parser';
import type { HttpResponse } from '../../evidence/website.ts';
import { headerValues } from './response.ts';

/** The cookies that a response sets, without those that it deletes. @param now ISO 8601 */
export function cookiesSet(response: HttpResponse, now: string): Cookie[] {
  const cookies = parseSetCookie(headerValues(response, 'set-cookie'), {
    decodeValues: false,
    silent: true,
  });
  return cookies.filter(
    ({ value, maxAge, expires }) =>
      value !== '' &&
      !(maxAge !== undefined && maxAge <= 0) &&
      !(expires && expires.getTime() < Date.parse(now)),
  );
}

/** Names that frameworks give to their session cookies, in lower case, without `__Host-` and `__Secure-`. */
const frameworkNames = new Set([
  'phpsessid',
  'jsessionid',
  'asp.net_sessionid',
  '.aspxauth',
  '.aspnetcore.session',
  '.aspnetcore.identity.application',
  'connect.sid',
  'laravel_session',
  'ci_session',
  'sessionid',
  'session_id',
  'session',
  'session-token',
  'next-auth.session-token',
  'authjs.session-token',
  'better-auth.session_token',
  'sid',
  'sessid',
  'cfid',
  'cftoken',
  'rack.session',
  'koa.sess',
  'access_token',
  'auth_token',
  'authtoken',
  'refresh_token',
  'id_token',
  'jwt',
  'token',
  'auth',
]);

/**
 * Whether a cookie's name says that it keeps somebody logged in. Tokens against request forgery are meant to
 * be read by scripts, and analytics have session ids that open no door: neither counts.
 */
export function isSessionCookie(name: string): boolean {
  const bare = name.toLowerCase().replace(/^__(?:host|secure)-/, '');
  if (/csrf|xsrf|antiforgery|analytics|^_ga|^_gid|^_hj|consent|^optimizely|^amp_/.test(bare)) return false;
  if (frameworkNames.has(bare)) return true;
  return (
    /^aspsessionid/.test(bare) ||
    /^s?sess[0-9a-f]{16}/.test(bare) ||
    /^(?:wordpress_logged_in|wordpress_sec|sb-.*-auth-token)/.test(bare) ||
    /(?:^|[_.-])(?:session|sess|sessionid|sessid|sid|auth|jwt|access[_-]?token|auth[_-]?token)$/.test(bare) ||
    /^(?:session|sess|auth)(?:[_.-]|id)/.test(bare)
  );
}

/** A cookie's name without the parts that some servers make up anew: part of a locator. */
export function stableCookieName(name: string): string {
  const withoutRandom = /^aspsessionid/i.test(name) ? name.slice(0, 12) : name;
  return withoutRandom
    .replace(/[0-9a-f]{16,}/gi, '*')
    .replace(/[^\x21-\x7e]/g, '?')
    .slice(0, 80);
}
