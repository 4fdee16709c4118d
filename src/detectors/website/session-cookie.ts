import { type Cookie, parseSetCookie } from 'set-cookie-parser';
import { targetLimits } from '../../captures/limits.ts';
import type { HttpResponse } from '../../captures/website.ts';
import { beginningOf } from '../mask-secrets.ts';
import { isDeleted } from './cookie-expiry.ts';
import { headerValue, headerValues } from './response.ts';

/** Whether a response sets more cookies than are read. */
export function setsTooManyCookies(response: HttpResponse): boolean {
  return headerValues(response, 'set-cookie').length > targetLimits.cookies;
}

/** The cookies that a response sets, up to the limit, without those that it deletes. @param now ISO 8601 */
export function cookiesSet(response: HttpResponse, now: string): Cookie[] {
  const date = Date.parse(headerValue(response, 'date') ?? '');
  const clock = Number.isNaN(date) ? Date.parse(now) : date;
  return headerValues(response, 'set-cookie')
    .slice(0, targetLimits.cookies)
    .filter(text => !isDeleted(text, clock))
    .flatMap(text => parseSetCookie([text], { decodeValues: false, silent: true }))
    .filter(({ value }) => value !== '');
}

/** Frameworks' names of session cookies, in lowercase, without `__Host-` and `__Secure-`. */
const frameworkNames = new Set([
  ...['phpsessid', 'jsessionid', 'jsessionidsso', 'asp.net_sessionid', '.aspxauth', '.aspnetcore.session'],
  ...['.aspnetcore.cookies', '.aspnetcore.identity.application', 'fedauth', 'msisauth', 'smsession'],
  ...['mrhsession', 'connect.sid', 'cakephp', 'fe_typo_user', 'be_typo_user', 'appsession'],
  ...['laravel_session', 'ci_session', 'sessionid', 'session_id', 'session', 'session-token'],
  ...['next-auth.session-token', 'authjs.session-token', 'better-auth.session_token', 'sid', 'sessid'],
  ...['cfid', 'cftoken', 'rack.session', 'koa.sess', 'koa:sess', 'express:sess', 'access_token'],
  ...['auth_token', 'authtoken', 'refresh_token', 'id_token', 'jwt', 'token', 'auth', 'authorization'],
  ...['rememberme', 'remember_token', 'remember_user_token'],
]);

/** Cookies with such a name that grant no access: by their vendors' documentation they are for scripts, a flag, or part of an ID. */
const grantsNothing = new Set([
  'keycloak_session',
  'idsrv.session',
  'lastmrh_session',
  'ai_session',
  's_sess',
]);

/** Suffixes of cookies with facts about a session rather than its ID. */
const aboutSessions =
  /[_.-](?:start(?:ed)?|time|count|views?|pages?|depth|source|medium|campaign|referr?er|landing|timeout|expir(?:y|es|ation)|lang(?:uage)?|locale|theme|redirect|return(?:_?(?:to|url))?|state|nonce|verifier)$/;

/**
 * Whether a cookie's name identifies it as a session cookie. Tokens against request forgery are meant to be read by
 * scripts, and session IDs of analytics grant no access: neither counts.
 */
export function isSessionCookie(name: string): boolean {
  const bare = name.toLowerCase().replace(/^__(?:host|secure)-/, '');
  if (/csrf|xsrf|antiforgery|analytics|^_ga|^_gid|^_hj|consent|^optimizely|^amp_|^mage-/.test(bare))
    return false;
  if (frameworkNames.has(bare)) return true;
  if (grantsNothing.has(bare) || aboutSessions.test(bare)) return false;
  return (
    /^aspsessionid/.test(bare) ||
    // Phoenix's: `_clinic_key`.
    /^_[a-z0-9_]{1,60}_key$/.test(bare) ||
    /^s?sess[0-9a-f]{16}/.test(bare) ||
    /^(?:wordpress_logged_in|wordpress_sec|wp_woocommerce_session|remember_web)_/.test(bare) ||
    /^sb-[a-z0-9-]{1,80}-auth-token(?:\.\d)?$/.test(bare) ||
    // Large tokens are split into numbered cookies.
    /(?:^|[_.-])(?:j?session(?:[_-]?id)?|sess|sessid|sid|auth|jwt|(?:session|access|auth)[_-]?token)(?:\.\d)?$/.test(
      bare,
    ) ||
    /^(?:session|sess|auth)(?:[_.-]|id)/.test(bare)
  );
}

/** A cookie's name without the parts that some servers generate: part of a locator. */
export function stableCookieName(name: string): string {
  const withoutRandom = /^aspsessionid/i.test(name) ? name.slice(0, 12) : beginningOf(name, 80);
  return withoutRandom.replace(/[0-9a-f]{16,}/gi, '*').replace(/[^\x21-\x7e]/g, '?');
}
