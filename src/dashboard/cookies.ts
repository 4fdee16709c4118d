import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OidcAttempt } from './oidc.ts';
import type { DashboardServices } from './services.ts';

/**
 * Over TLS the name binds the cookie to this host and to TLS (RFC 6265bis, section 4.1.3.2). Without TLS, as on loopback,
 * browsers refuse such a cookie.
 */
function nameOf({ publicUrl }: Pick<DashboardServices, 'publicUrl'>, purpose = 'session'): string {
  return `${isSecure(publicUrl) ? '__Host-' : ''}parapet_${purpose}`;
}

function isSecure(publicUrl: string | undefined): boolean {
  return publicUrl?.startsWith('https:') ?? false;
}

/** The token in the cookie, where it has the form of one of ours: 32 bytes in base64url. */
export function sessionToken(request: FastifyRequest, services: DashboardServices): string | undefined {
  const token = request.cookies[nameOf(services)];
  return token && /^[A-Za-z0-9_-]{43}$/.test(token) ? token : undefined;
}

export function setSessionCookie(reply: FastifyReply, services: DashboardServices, token: string): void {
  // Without an age: it ends with the browser, and before that when the server says so.
  void reply.setCookie(nameOf(services), token, {
    path: '/',
    httpOnly: true,
    sameSite: 'strict',
    secure: isSecure(services.publicUrl),
  });
}

export function clearSessionCookie(reply: FastifyReply, services: DashboardServices): void {
  void reply.clearCookie(nameOf(services), { path: '/', secure: isSecure(services.publicUrl) });
}

/** What the browser keeps while it is at the OpenID provider, whose redirect a strict cookie would not come along with. */
export function setOidcCookie(reply: FastifyReply, services: DashboardServices, attempt: OidcAttempt): void {
  void reply.setCookie(nameOf(services, 'oidc'), Buffer.from(JSON.stringify(attempt)).toString('base64url'), {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure(services.publicUrl),
    maxAge: 600,
  });
}

/** The attempt that this browser began, once; undefined for any other. */
export function takeOidcCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  services: DashboardServices,
): OidcAttempt | undefined {
  const name = nameOf(services, 'oidc');
  const value = request.cookies[name];
  void reply.clearCookie(name, { path: '/', secure: isSecure(services.publicUrl) });
  try {
    const attempt: unknown = JSON.parse(Buffer.from(value ?? '', 'base64url').toString('utf8'));
    const { state, nonce, codeVerifier } = attempt as OidcAttempt;
    return [state, nonce, codeVerifier].every(part => typeof part === 'string' && part.length >= 16)
      ? { state, nonce, codeVerifier }
      : undefined;
  } catch {
    return undefined;
  }
}
