import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Session } from '../contract/dashboard/session.ts';
import { completeSignIn, insertSession } from '../storage/people/sessions.ts';
import type { TenantSession } from '../storage/tenant-store.ts';
import { setSessionCookie } from './cookies.ts';
import { describeSession } from './describe-session.ts';
import type { DashboardServices } from './services.ts';

/** Opens a session for who has proven the first factor. Returns its token, for `answerSession`. */
export async function openSession(
  request: FastifyRequest,
  people: TenantSession,
  personId: string,
): Promise<string> {
  const token = newToken();
  const userAgent = request.headers['user-agent'] ?? '';
  await insertSession(people, { personId, token, address: request.ip, userAgent });
  return token;
}

/** The second factor was right: the session goes on under a new token. */
export async function raiseSession(request: FastifyRequest, people: TenantSession): Promise<string> {
  const token = newToken();
  await completeSignIn(people, request.session!.id, token);
  return token;
}

/** Gives the browser the cookie of a session that is committed by now, and tells where it stands. */
export async function answerSession(
  reply: FastifyReply,
  services: DashboardServices,
  token: string,
): Promise<Session> {
  setSessionCookie(reply, services, token);
  return describeSession(services, token);
}

function newToken(): string {
  return randomBytes(32).toString('base64url');
}
