import { type Cookie, parseSetCookie } from 'set-cookie-parser';
import { targetLimits } from '../../captures/limits.ts';
import type { HttpResponse } from '../../captures/website.ts';
import { beginningOf } from '../mask-secrets.ts';
import { isDeleted } from './cookie-expiry.ts';
import { headerValue, headerValues } from './response.ts';
import { isProductsSession, mayBeProductsSession } from './session-cookie-names.ts';

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
  /[_.-](?:start(?:ed)?|time|count|views?|pages?|depth|source|medium|campaign|referr?er|landing|timeout|expir(?:y|es|ation)|lang(?:uage)?|locale|theme|redirect|return(?:_?(?:to|url))?|state|nonce|verifier|provider|method|type|mode|status|hint|error|exists|active|test|bucket|experiment|affinity|track(?:er|ing))$/;

/** Tokens against request forgery, analytics, consent, and caches. */
const ofOthers =
  /csrf|xsrf|antiforgery|analytics|^_?ga[_.-]|^_ga|^_gid|^_hj|consent|^optimizely|^amp_|^amplitude|^ajs_|^mp_|posthog|^mage-|^rl_|^_pk_|^_shopify_[a-z]$/;

/** Values that state something about a session. */
const isFlag =
  /^(?:0|1|true|false|yes|no|on|off|none|null|undefined|guest|anonymous|logged[_-]?(?:in|out))$/i;

/** A name in lowercase, without the prefix that browsers know. */
export const bareName = (name: string) =>
  name.toLowerCase().replace(/^__(?:host-http|host|http|secure)-/, '');

/**
 * Whether a cookie's name identifies it as a session cookie. Tokens against request forgery are meant to be read by
 * scripts, and session IDs of analytics grant no access: neither counts.
 */
export function isSessionCookie({ name, value }: Pick<Cookie, 'name' | 'value'>): boolean {
  const bare = bareName(name);
  if (ofOthers.test(bare) || isFlag.test(value)) return false;
  if (isProductsSession(bare)) return true;
  if (grantsNothing.has(bare) || aboutSessions.test(bare)) return false;
  // A shorter one is a setting, such as the variant of a test.
  if (value.length < 5) return false;
  return (
    // Large tokens are split into numbered cookies.
    /(?:^|[_.-])(?:j?session(?:[_-]?id)?|sess|sessid|sid|auth|jwt|(?:session|access|auth)[_-]?token)(?:\.\d)?$/.test(
      bare,
    ) ||
    /^(?:session|sess|auth)(?:[_.-]|id)/.test(bare) ||
    (mayBeProductsSession(bare) && isOpaque(value))
  );
}

/** Whether a value appears generated: long, of one alphabet, with letters and digits, and many different characters. */
export function isOpaque(value: string): boolean {
  const decoded = /^[\w%.~+/=:,-]{20,4096}$/.test(value) ? value.replace(/%[0-9a-f]{2}/gi, '-') : '';
  const hasBoth = /[a-z]/i.test(decoded) && /\d/.test(decoded);
  return hasBoth && new Set(decoded).size >= 10 && /[0-9a-z]{12}/i.test(decoded);
}

/** A cookie's name without the parts that some servers generate: part of a locator. */
export function stableCookieName(name: string): string {
  const withoutRandom = /^aspsessionid/i.test(name) ? name.slice(0, 12) : beginningOf(name, 80);
  return withoutRandom.replace(/[0-9a-f]{16,}/gi, '*').replace(/[^\x21-\x7e]/g, '?');
}
