import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { Refusal } from '../domain/refusal.ts';

/**
 * CSRF token that pages send with every change. It is derived from the session token, so only pages that can read our
 * responses know it, and nothing is stored.
 */
export function csrfToken(sessionToken: string): string {
  return createHmac('sha256', sessionToken).update('parapet csrf token').digest('base64url');
}

/** Throws `cross_site_request` if the header `x-csrf-token` does not match the session. */
export function assertCsrfToken(request: FastifyRequest, sessionToken: string): void {
  const given = request.headers['x-csrf-token'];
  const expected = Buffer.from(csrfToken(sessionToken));
  const bytes = Buffer.from(typeof given === 'string' ? given : '');
  if (bytes.length !== expected.length || !timingSafeEqual(bytes, expected)) {
    throw new Refusal('cross_site_request');
  }
}

/**
 * Throws `cross_site_request` if the browser reports another site as the sender (Fetch Metadata, RFC 6454). Other clients
 * send neither header and cannot be tricked into sending a cookie.
 */
export function assertSameOrigin(request: FastifyRequest, publicUrl: string | undefined): void {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (site !== undefined && site !== 'same-origin') throw new Refusal('cross_site_request');
  if (origin !== undefined && !isOwn(origin, request, publicUrl)) throw new Refusal('cross_site_request');
}

/**
 * The same check for addresses that a browser opens, such as audited downloads: a page of a sibling origin, which SameSite
 * does not stop, must not cause an audit entry for the person. Typed addresses are allowed.
 */
export function isAskedHere({ headers: { 'sec-fetch-site': site } }: FastifyRequest): boolean {
  return site === undefined || site === 'same-origin' || site === 'none';
}

function isOwn(origin: string, request: FastifyRequest, publicUrl: string | undefined): boolean {
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  return publicUrl === undefined ? url.host === request.host : url.origin === new URL(publicUrl).origin;
}
