import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { Refusal } from '../domain/refusal.ts';

/**
 * What a page of ours must send with every request that changes something. It follows from the session's token, so that
 * only who has the cookie and may read our answers knows it, and nothing is kept of it.
 */
export function csrfToken(sessionToken: string): string {
  return createHmac('sha256', sessionToken).update('parapet csrf token').digest('base64url');
}

/** Throws `cross_site_request` where the header `x-csrf-token` is not the session's. */
export function assertCsrfToken(request: FastifyRequest, sessionToken: string): void {
  const given = request.headers['x-csrf-token'];
  const expected = Buffer.from(csrfToken(sessionToken));
  const bytes = Buffer.from(typeof given === 'string' ? given : '');
  if (bytes.length !== expected.length || !timingSafeEqual(bytes, expected)) {
    throw new Refusal('cross_site_request');
  }
}

/**
 * Throws `cross_site_request` where the browser says that another site's page sent this (Fetch Metadata, RFC 6454). What is
 * no browser says neither, and has no cookie that it was tricked into sending.
 */
export function assertSameOrigin(request: FastifyRequest, publicUrl: string | undefined): void {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (site !== undefined && site !== 'same-origin') throw new Refusal('cross_site_request');
  if (origin !== undefined && !isOwn(origin, request, publicUrl)) throw new Refusal('cross_site_request');
}

/**
 * The same of an address that a browser opens, such as that of a download which is in the audit log: a page of a sibling origin, to which
 * SameSite is no bar, must not make an entry in somebody's name. People may also type it.
 */
export function isAskedHere({ headers: { 'sec-fetch-site': site } }: FastifyRequest): boolean {
  return site === undefined || site === 'same-origin' || site === 'none';
}

function isOwn(origin: string, request: FastifyRequest, publicUrl: string | undefined): boolean {
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  return publicUrl === undefined ? url.host === request.host : url.origin === new URL(publicUrl).origin;
}
