import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Session } from '../../contract/dashboard/session.ts';
import type { PeopleTransaction } from '../../database/people-store.ts';
import type { TenantSession } from '../../database/tenant-store.ts';
import { auditAccount, lockAccount } from '../../resources/people/accounts.ts';
import { completeSignIn, renewToken, stepUp } from '../../resources/people/held-session.ts';
import { followProvider, type Identity } from '../../resources/people/identities.ts';
import {
  endOtherSessions,
  endSession,
  insertSession,
  type OpenSession,
} from '../../resources/people/sessions.ts';
import { setSessionCookie } from '../cookies.ts';
import { heldSession, openTransaction } from '../open-transaction.ts';
import { personActor } from '../person-actor.ts';
import type { DashboardServices } from '../services.ts';
import { describeSession } from './describe-session.ts';
import { knowDevice } from './known-device.ts';

/**
 * Opens a session for who has proven the first factor, and ends the one of the browser's cookie. Returns its token, for `answerSession`.
 *
 * @param proof `password`: given in this request. `both factors`: the password with a code, or a passkey with its user verified. An
 *   identity that is linked: nobody knows when the provider last asked for anything
 */
export async function openSession(
  request: FastifyRequest,
  transaction: PeopleTransaction,
  personId: string,
  proof: 'password' | 'both factors' | Identity,
): Promise<string> {
  const token = newToken();
  const userAgent = request.headers['user-agent'] ?? '';
  const session = { personId, token, address: request.ip, userAgent };
  // The browser loses the cookie of the session before it: nobody could end that one there.
  if (request.session) await endFormer(request, transaction, request.session);
  if (typeof proof === 'object') {
    const id = await insertSession(transaction, { ...session, identity: proof });
    await followProvider(transaction, id, personActor(request, personId));
    return token;
  }
  await insertSession(transaction, { ...session, fresh: true, secondFactorGiven: proof === 'both factors' });
  return token;
}

async function endFormer(
  request: FastifyRequest,
  transaction: PeopleTransaction,
  { id, personId }: OpenSession,
): Promise<void> {
  if (!(await endSession(transaction, personId, id))) return;
  await auditAccount(transaction, personActor(request, personId), personId, {
    action: 'person.session_ended',
    detail: { session: id },
  });
}

/** The person has confirmed who they are: the session goes on under a new token. */
export async function stepUpSession(request: FastifyRequest, people: TenantSession): Promise<string> {
  const token = newToken();
  await stepUp(people, heldSession(request), token);
  return token;
}

/** The session goes on under a new token: a copy of the one before is worth nothing, and what it has begun to read ends. */
export async function renewSession(request: FastifyRequest, people: TenantSession): Promise<string> {
  const token = newToken();
  await renewToken(people, heldSession(request), token);
  return token;
}

/**
 * An `openTransaction` that changes what opens the account: the session is renewed, and all others of the person end. Who had got in by
 * what was taken away, or by a copy of the token before, is out.
 *
 * @param endsOthers false where `work` ends them, or nothing by which others may have got in is worth less now
 */
export async function renewingTransaction<T>(
  request: FastifyRequest,
  reply: FastifyReply,
  services: DashboardServices,
  work: (transaction: PeopleTransaction) => Promise<T>,
  { endsOthers = true } = {},
): Promise<T> {
  const { id, personId } = request.session!;
  const { result, token } = await openTransaction(request, request.people, async transaction => {
    const result = await work(transaction);
    if (endsOthers) await endOtherSessions(transaction, personId, id);
    return { result, token: await renewSession(request, transaction) };
  });
  setSessionCookie(reply, services, token);
  return result;
}

/** The second factor was right: the session goes on under a new token. */
export async function raiseSession(request: FastifyRequest, transaction: PeopleTransaction): Promise<string> {
  const { id, personId } = request.session!;
  const token = newToken();
  await lockAccount(transaction, personId);
  await completeSignIn(transaction, heldSession(request), token);
  await followProvider(transaction, id, request.actor);
  return token;
}

/** Gives the browser the cookie of a session that is committed by now, and tells where it stands. */
export async function answerSession(
  request: FastifyRequest,
  reply: FastifyReply,
  services: DashboardServices,
  token: string,
): Promise<Session> {
  setSessionCookie(reply, services, token);
  const session = await describeSession(request, services, token);
  if (session.state === 'signed_in') await knowBrowser(request, reply, services, session.person!.id);
  return session;
}

/** See `knowDevice`; for the answer to a sign-in that is complete by now, which what fails here must not keep. */
export async function knowBrowser(
  request: FastifyRequest,
  reply: FastifyReply,
  services: DashboardServices,
  personId: string,
): Promise<void> {
  await knowDevice(request, reply, services, personId).catch(error =>
    request.log.warn({ err: error }, 'the browser of a sign-in is not known'),
  );
}

function newToken(): string {
  return randomBytes(32).toString('base64url');
}
