import type { FastifyReply, FastifyRequest } from 'fastify';
import type { DashboardServices } from './services.ts';

/**
 * Over TLS the name binds the cookie to this host and to TLS (RFC 6265bis, section 4.1.3.2). Without TLS, as on loopback,
 * browsers refuse such a cookie.
 */
function nameOf({ publicUrl }: Pick<DashboardServices, 'publicUrl'>): string {
  return isSecure(publicUrl) ? '__Host-parapet_session' : 'parapet_session';
}

function isSecure(publicUrl: string | undefined): boolean {
  return publicUrl?.startsWith('https:') ?? false;
}

/** The token in the cookie, whatever it is; undefined without one. */
export function sessionToken(request: FastifyRequest, services: DashboardServices): string | undefined {
  const token = request.cookies[nameOf(services)];
  return token && token.length <= 128 ? token : undefined;
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
