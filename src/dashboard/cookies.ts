import type { FastifyReply, FastifyRequest } from 'fastify';
import { isToken } from '../resources/people/sessions.ts';
import type { DashboardServices } from './services.ts';
import { isChallenge, issueChallenge } from './sign-in/challenges.ts';
import type { OidcAttempt } from './sign-in/oidc.ts';

/**
 * Over TLS the name binds the cookie to this host and to TLS (RFC 6265bis, section 4.1.3.2). Without TLS, as on loopback,
 * browsers refuse such a cookie.
 */
function nameOf({ publicUrl }: Place, purpose: Purpose): string {
  return `${isSecure(publicUrl) ? '__Host-' : ''}parapet_${purpose}`;
}

function isSecure(publicUrl: string | undefined): boolean {
  return publicUrl?.startsWith('https:') ?? false;
}

const own = /(?:^|;)[ \t]*((?:__Host-)?parapet_[a-z]+)=([^;]*)/g;

/**
 * What a `Cookie` header has of ours, the first of each name: a header of 16 KB has thousands of others, each of which takes longer to
 * parse, and other sites of the domain may add some that begin like ours.
 */
export function ownCookies(header: string, place: Place): string {
  const names = new Set(purposes.map(purpose => nameOf(place, purpose)));
  const found: string[] = [];
  for (const [, name, value] of header.matchAll(own)) {
    if (names.delete(name!)) found.push(`${name}=${value}`);
  }
  return found.join('; ');
}

const purposes = ['session', 'device', 'challenge', 'oidc'] as const;
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
  /** Seconds; without it the cookie ends with the browser, and before that when the server says so. */
  readonly maxAge?: number;
  /** `lax` for what must come along when the OpenID provider leads back here. */
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

/** The token in the cookie, whatever it is; undefined without one. */
export function sessionToken(request: FastifyRequest, services: DashboardServices): string | undefined {
  return shortCookie(request, services, 'session');
}

export function setSessionCookie(reply: FastifyReply, services: DashboardServices, token: string): void {
  setCookie(reply, services, 'session', token);
}

export function clearSessionCookie(reply: FastifyReply, services: DashboardServices): void {
  void reply.clearCookie(nameOf(services, 'session'), { path: '/', secure: isSecure(services.publicUrl) });
}

/** Seconds for which a browser may be at the OpenID provider. */
const oidcSeconds = 600;
const oidcPurpose = (attempt: string) => `oidc ${attempt}`;

/**
 * What the browser keeps while it is at the OpenID provider, whose redirect a strict cookie would not come along with. Sealed, since
 * with attempts of their own making anybody could have us ask the provider as often as they like.
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

/** The attempt that this browser began, with the seal, which is spent by `spendChallenge`; undefined for any other. */
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
  // A version before this one did not say which session asks.
  if ((attempt.purpose === 'sign_in') !== (attempt.sessionId === null)) return undefined;
  return { attempt, seal };
}

/** Seconds for which browsers keep a cookie at most (RFC 6265bis, section 5.5). */
const longestAge = 400 * 24 * 3600;

/** People whose tokens one browser keeps: of more, those who signed in last. */
const mostDeviceTokens = 5;

/**
 * Tells this browser from others when somebody guesses. Opens nothing. Each person who signs in here has a token of their own: a new
 * one for one of them leaves those of the others as they are.
 */
export function setDeviceCookie(
  reply: FastifyReply,
  services: DashboardServices,
  tokens: readonly string[],
): void {
  const kept = tokens.slice(0, mostDeviceTokens).join('.');
  setCookie(reply, services, 'device', kept, { maxAge: longestAge, sameSite: 'lax' });
}

/** Those that could be ours: what is short or made up is worth no more than none. */
export function deviceTokens(request: FastifyRequest, services: DashboardServices): string[] {
  const tokens = request.cookies[nameOf(services, 'device')]?.split('.', mostDeviceTokens) ?? [];
  return tokens.filter(isToken);
}

/** The challenge of a sign-in by passkey, while the browser answers it. */
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
