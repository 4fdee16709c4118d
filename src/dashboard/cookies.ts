import type { FastifyReply, FastifyRequest } from 'fastify';
import { isToken } from '../resources/people/sessions.ts';
import type { DashboardServices } from './services.ts';
import { isChallenge, issueChallenge } from './sign-in/challenges.ts';
import type { OidcAttempt } from './sign-in/oidc.ts';

/**
 * Over TLS, the `__Host-` prefix binds the cookie to this host and to TLS (RFC 6265bis, section 4.1.3.2). Without TLS, as on
 * loopback, browsers reject such a cookie.
 */
function nameOf({ publicUrl }: Place, purpose: Purpose): string {
  return `${isSecure(publicUrl) ? '__Host-' : ''}parapet_${purpose}`;
}

function isSecure(publicUrl: string | undefined): boolean {
  return publicUrl?.startsWith('https:') ?? false;
}

const own = /(?:^|;)[ \t]*((?:__Host-)?parapet_[a-z]+)=([^;]*)/g;

/**
 * Parapet cookies of a `Cookie` header, the first of each name. A header of 16 KB can contain thousands of other cookies,
 * which are slow to parse, and sibling sites can set cookies with similar names.
 */
export function ownCookies(header: string, place: Place): string {
  const names = new Set(purposes.map(purpose => nameOf(place, purpose)));
  const found: string[] = [];
  for (const [, name, value] of header.matchAll(own)) {
    if (names.delete(name!)) found.push(`${name}=${value}`);
  }
  return found.join('; ');
}

const purposes = ['session', 'device', 'challenge', 'oidc', 'changed'] as const;
type Purpose = (typeof purposes)[number];

type Place = Pick<DashboardServices, 'publicUrl'>;

function shortCookie(
  request: FastifyRequest,
  services: DashboardServices,
  purpose: Purpose,
): string | undefined {
  const token = request.cookies[nameOf(services, purpose)];
  return token && token.length <= 128 ? token : undefined;
}

interface CookieOptions {
  /** Seconds. Without it, the cookie ends with the browser session; the server can end it earlier. */
  readonly maxAge?: number;
  /** `lax` for cookies that the redirect of the OpenID provider must include. */
  readonly sameSite?: 'strict' | 'lax';
}

function setCookie(
  reply: FastifyReply,
  services: DashboardServices,
  purpose: Purpose,
  value: string,
  { maxAge, sameSite = 'strict' }: CookieOptions = {},
): void {
  void reply.setCookie(nameOf(services, purpose), value, {
    path: '/',
    httpOnly: true,
    sameSite,
    secure: isSecure(services.publicUrl),
    ...(maxAge === undefined ? {} : { maxAge }),
  });
}

/** The unverified token in the cookie; undefined without one. */
export function sessionToken(request: FastifyRequest, services: DashboardServices): string | undefined {
  return shortCookie(request, services, 'session');
}

export function setSessionCookie(reply: FastifyReply, services: DashboardServices, token: string): void {
  setCookie(reply, services, 'session', token);
}

export function clearSessionCookie(reply: FastifyReply, services: DashboardServices): void {
  void reply.clearCookie(nameOf(services, 'session'), { path: '/', secure: isSecure(services.publicUrl) });
}

/** Seconds within which a browser must return from the OpenID provider. */
const oidcSeconds = 600;
const oidcPurpose = (attempt: string) => `oidc ${attempt}`;

/**
 * Stores the attempt in the browser during the visit to the OpenID provider. The cookie is lax because the redirect from the
 * provider would not include a strict one. It is sealed because clients could otherwise forge attempts and cause unlimited
 * requests to the provider.
 */
export async function setOidcCookie(
  reply: FastifyReply,
  services: DashboardServices,
  attempt: OidcAttempt,
): Promise<void> {
  const content = Buffer.from(JSON.stringify(attempt)).toString('base64url');
  const seal = await issueChallenge(services.storage.keyRing, oidcPurpose(content), oidcSeconds);
  void reply.setCookie(nameOf(services, 'oidc'), `${content}:${seal}`, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure(services.publicUrl),
    maxAge: oidcSeconds,
  });
}

/** The attempt that this browser began, with its seal for `spendChallenge`; undefined if the seal is invalid. */
export async function takeOidcCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  services: DashboardServices,
): Promise<{ attempt: OidcAttempt; seal: string } | undefined> {
  const name = nameOf(services, 'oidc');
  const [content = '', seal = ''] = request.cookies[name]?.split(':') ?? [];
  void reply.clearCookie(name, { path: '/', secure: isSecure(services.publicUrl) });
  if (!(await isChallenge(services.storage.keyRing, oidcPurpose(content), seal))) return undefined;
  const attempt: OidcAttempt = JSON.parse(Buffer.from(content, 'base64url').toString('utf8'));
  // Cookies of an earlier version do not contain the session.
  if ((attempt.purpose === 'sign_in') !== (attempt.sessionId === null)) return undefined;
  return { attempt, seal };
}

/** Maximum seconds for which browsers keep a cookie (RFC 6265bis, section 5.5). */
const longestAge = 400 * 24 * 3600;

/** Device tokens that one browser keeps: those of the people who signed in last. */
const mostDeviceTokens = 5;

/**
 * Separates this browser from others when passwords are guessed. Grants no access. Each person who signs in here has a
 * separate token, so renewing one keeps the others.
 */
export function setDeviceCookie(
  reply: FastifyReply,
  services: DashboardServices,
  tokens: readonly string[],
): void {
  const kept = tokens.slice(0, mostDeviceTokens).join('.');
  setCookie(reply, services, 'device', kept, { maxAge: longestAge, sameSite: 'lax' });
}

/** Device tokens in the right form. Malformed ones are ignored. */
export function deviceTokens(request: FastifyRequest, services: DashboardServices): string[] {
  const tokens = request.cookies[nameOf(services, 'device')]?.split('.', mostDeviceTokens) ?? [];
  return tokens.filter(isToken);
}

/** Stores the challenge of a passkey sign-in while the browser answers it. */
export function setChallengeCookie(
  reply: FastifyReply,
  services: DashboardServices,
  challenge: string,
): void {
  setCookie(reply, services, 'challenge', challenge, { maxAge: 300 });
}

export function challengeToken(request: FastifyRequest, services: DashboardServices): string | undefined {
  return shortCookie(request, services, 'challenge');
}

export function clearChallengeCookie(reply: FastifyReply, services: DashboardServices): void {
  void reply.clearCookie(nameOf(services, 'challenge'), { path: '/', secure: isSecure(services.publicUrl) });
}

/** Longer than a replica may be behind. */
const changedSeconds = 3;

/** Has the browser say for a while that the person has changed something, whichever node it asks. */
export function setChangedCookie(reply: FastifyReply, services: DashboardServices): void {
  setCookie(reply, services, 'changed', '1', { maxAge: changedSeconds });
}

/** Whether the person has just changed something, and must find it: a replica may not have it yet. Grants nothing. */
export function hasJustChanged(request: FastifyRequest, services: DashboardServices): boolean {
  return shortCookie(request, services, 'changed') !== undefined;
}
