import type { FastifyRequest } from 'fastify';
import { setOrganization } from '../database/idempotent-requests.ts';
import type { Concern, PeopleStore, PeopleTransaction } from '../database/people-store.ts';
import { Refusal } from '../domain/refusal.ts';
import { type Account, lockAccount } from '../resources/people/accounts.ts';
import { type HeldSession, isSessionOpen } from '../resources/people/held-session.ts';
import { holdRole } from '../resources/people/memberships.ts';
import { claimKey } from './plugins/idempotency.ts';

/**
 * A transaction that changes lasting access of the account, such as factors or memberships. Transactions of an account run
 * one at a time, so that concurrent requests cannot remove the last two factors. Throws `unauthorized` if the account was
 * closed or the session ended after the request was admitted.
 *
 * @param work receives the current account, which can differ from that of the admitted request
 */
export async function openTransaction<T>(
  request: FastifyRequest,
  people: PeopleStore,
  work: (transaction: PeopleTransaction, account: Account) => Promise<T>,
  concern?: Concern,
): Promise<T> {
  return people.transaction(async transaction => {
    const account = await lockAccount(transaction, request.person.id);
    if (!account || !(await isSessionOpen(transaction, heldSession(request)))) throw sessionEnded();
    return work(transaction, account);
  }, concern);
}

/**
 * A transaction that changes the members of the organization in the path. Throws `unauthorized` if the session ended while it
 * waited. The account is not locked, so the person can work in another organization meanwhile.
 */
export async function membershipTransaction<T>(
  request: FastifyRequest,
  work: (transaction: PeopleTransaction) => Promise<T>,
): Promise<T> {
  const { people, organizationId } = request;
  return people.transaction(
    async transaction => {
      const result = await work(transaction);
      if (!(await isSessionOpen(transaction, heldSession(request)))) throw sessionEnded();
      return result;
    },
    { organizationId },
  );
}

/** `membershipTransaction` that locks the role of the person. Throws `forbidden` if the role has changed. */
export async function roleTransaction<T>(
  request: FastifyRequest,
  work: (transaction: PeopleTransaction) => Promise<T>,
): Promise<T> {
  const { organizationId, person, role } = request;
  return membershipTransaction(request, async transaction => {
    await holdRole(transaction, { organizationId, personId: person.id, role });
    await setOrganization(transaction, organizationId);
    await claimKey(request, transaction);
    return work(transaction);
  });
}

/** The session of the request. It stays open under this token until the session is renewed. */
export function heldSession({ session, sessionToken }: FastifyRequest): HeldSession {
  return { id: session!.id, token: sessionToken! };
}

function sessionEnded(): Refusal {
  return new Refusal('unauthorized', {}, { because: { reason: 'session_ended' } });
}
