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
 * Opens a session after the first factor, and ends the session of the browser cookie. Returns its token, for `answerSession`.
 *
 * @param proof `password`: sent in this request. `both factors`: the password with a code, or a passkey with user
 *   verification. A linked identity: the time of its last authentication at the provider is unknown
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
  // The browser replaces its cookie, so the previous session could no longer be ended from it.
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

/** Records a step-up and renews the session token. */
export async function stepUpSession(request: FastifyRequest, people: TenantSession): Promise<string> {
  const token = newToken();
  await stepUp(people, heldSession(request), token);
  return token;
}

/** Renews the session token. This invalidates copies of the previous token and ends reads that it began. */
export async function renewSession(request: FastifyRequest, people: TenantSession): Promise<string> {
  const token = newToken();
  await renewToken(people, heldSession(request), token);
  return token;
}

/**
 * An `openTransaction` that changes sign-in methods: renews the session token and ends all other sessions of the person. This
 * locks out anyone with the removed method or a copy of the previous token.
 *
 * @param endsOthers false if `work` ends the other sessions, or if no sign-in method is removed
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

/** Records the second factor and renews the session token. */
export async function raiseSession(request: FastifyRequest, transaction: PeopleTransaction): Promise<string> {
  const { id, personId } = request.session!;
  const token = newToken();
  await lockAccount(transaction, personId);
  await completeSignIn(transaction, heldSession(request), token);
  await followProvider(transaction, id, request.actor);
  return token;
}

/** Sets the cookie of a committed session, and responds with the session state. */
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

/** `knowDevice` for a completed sign-in. Errors are logged, since they must not withhold the response. */
export async function knowBrowser(
  request: FastifyRequest,
  reply: FastifyReply,
  services: DashboardServices,
  personId: string,
): Promise<void> {
  await knowDevice(request, reply, services, personId).catch(error =>
    request.log.warn({ err: error }, 'browser.not_remembered'),
  );
}

function newToken(): string {
  return randomBytes(32).toString('base64url');
}
