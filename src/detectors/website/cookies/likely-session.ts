import type { Cookie } from 'set-cookie-parser';
import type { HttpResponse } from '../../../captures/website.ts';
import { bareName, cookiesSet, isOpaque, isSessionCookie } from '../session-cookie.ts';

/** Names of cookies with random values that are no sessions: of load balancers, firewalls, bot protection, shops and statistics. */
const infrastructure =
  /^(?:aws(?:alb|elb|alb(?:tg|app|cors))|bigip|ts[0-9a-f]{6,10}|arraffinity|applicationgateway|nsc_|citrix_ns|incap_|visid_|nlbi_|_?_?cf|ak_|akaalb|aka_|akamai|bm_|_abck|datadome|dd_|__ddg|ddos|gclb|ingresscookie|route|sticky|affinity|server_?id|serverid|backend|lb[_-]?|node_?id|haproxy|srv|x-mapping|sucuri|reese84|_px|px|rbz|__uzm|uzm|_iris|kc_|kp_|kasada|distil|d_?ct|dtcookie|rx|nr_|__utm|_ga|_dc|_gcl|_fbp|_ut|_tt|_pin|hubspot|__hs|intercom|ajs_|amplitude|mp_|optimizely|vwo|_vis|ab_|abtest|exp_|experiment|bucket|visitor|visit|device|client_?id|browser|machine|anon|guest|tracking|track|uuid|guid|uid|nid|did|cid|rid|request|trace|correlation|nonce|state|return|redirect|basket|cart|wishlist|currency|locale|lang|country|geo|tz|timezone|theme|cache|etag|version|build|flash|messages?|temp|notice|captcha|challenge|verif|human|bot)/;

/** Data protection of ASP.NET Core and encryption of Laravel, which have the same form for every purpose. */
const ofAnyPurpose = /^(?:CfDJ8|eyJpdiI6)/;

/** Signed by cookie-session, by itsdangerous of Flask and others, by Rails, or a JSON Web Token. */
const signed: readonly RegExp[] = [
  /^s(?::|%3a)[\w-]{20,4096}\.[\w%+/=-]{43,100}$/i,
  /^\.?ey[\w-]{8,4096}\.[\w-]{5,8}\.[\w-]{27,43}$/,
  /^[\w%+/=-]{40,4096}--[0-9a-f]{40,64}$/,
  /^[\w%+/]{16,4096}(?:=|%3d){0,2}--[\w%+/]{12,20}(?:=|%3d){0,2}--[\w%+/]{20,24}(?:=|%3d){0,2}$/i,
];

/** Whether a cookie may be a session by its attributes and value: hidden from scripts, deleted with the browser, and generated. */
function mayBeSession(cookie: Cookie): boolean {
  const bare = bareName(cookie.name);
  return (
    cookie.httpOnly === true &&
    cookie.maxAge === undefined &&
    cookie.expires === undefined &&
    !isSessionCookie(cookie) &&
    !infrastructure.test(bare) &&
    !/csrf|xsrf|forgery|consent|analytics/.test(bare) &&
    !ofAnyPurpose.test(cookie.value) &&
    isOpaque(cookie.value)
  );
}

/**
 * The cookies of responses to requests without cookies that behave like sessions: they have a signed value, or a new one in every
 * response. `likely` has the reasons by name, `undecided` the names of those that could be sessions but were set only once.
 */
export function likelySessions(
  responses: readonly HttpResponse[],
  now: string,
): { readonly likely: ReadonlyMap<string, string>; readonly undecided: readonly string[] } {
  const values = new Map<string, string[]>();
  for (const response of responses) {
    for (const { name, value } of cookiesSet(response, now).filter(mayBeSession))
      values.set(name, [...(values.get(name) ?? []), value]);
  }
  const likely = new Map<string, string>();
  const undecided: string[] = [];
  for (const [name, [first = '', ...others]] of values) {
    if (signed.some(pattern => pattern.test(first))) likely.set(name, 'its value is signed');
    else if (others.length === 0) undecided.push(name);
    else if (new Set([first, ...others]).size === others.length + 1) likely.set(name, changing);
  }
  return { likely, undecided };
}

const changing =
  'scripts cannot read it, it ends with the browser, and each request without it gets another random value';
