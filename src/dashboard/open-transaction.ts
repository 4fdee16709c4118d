import type { FastifyRequest } from 'fastify';
import { setOrganization } from '../database/idempotent-requests.ts';
import type { Concern, PeopleStore, PeopleTransaction } from '../database/people-store.ts';
import { Refusal } from '../domain/refusal.ts';
import { type Account, lockAccount } from '../resources/people/accounts.ts';
import { type HeldSession, isSessionOpen } from '../resources/people/held-session.ts';
import { holdRole } from '../resources/people/memberships.ts';
import { claimKey } from './plugins/idempotency.ts';

/**
 * A transaction that gives the account something lasting, such as a factor or a membership, or takes a factor away: one at a
 * time, so that the last two do not go at once. The account may have been closed, or the session ended, after the request was
 * admitted: then it throws `unauthorized`.
 *
 * @param work gets the account as it is now, which may differ from that of the admitted request
 */
export async function openTransaction<T>(
  request: FastifyRequest,
  people: PeopleStore,
  work: (transaction: PeopleTransaction, account: Account) => Promise<T>,
  concern?: Concern,
): Promise<T> {
  return people.transaction(async transaction => {
    const account = await lockAccount(transaction, request.person.id);
    if (!account || !(await isSessionOpen(transaction, heldSession(request))))
      throw new Refusal('unauthorized');
    return work(transaction, account);
  }, concern);
}

/**
 * A transaction that changes who belongs to the organization of the path. Throws `unauthorized` where the session ended while it
 * waited. The account is not locked: its person may work in another organization meanwhile.
 */
export async function membershipTransaction<T>(
  request: FastifyRequest,
  work: (transaction: PeopleTransaction) => Promise<T>,
): Promise<T> {
  const { people, organizationId } = request;
  return people.transaction(
    async transaction => {
      const result = await work(transaction);
      if (!(await isSessionOpen(transaction, heldSession(request)))) throw new Refusal('unauthorized');
      return result;
    },
    { organizationId },
  );
}

/** As `membershipTransaction`, by a role that stays meanwhile. Throws `forbidden` where it is another by now. */
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

/** The request's session, which goes on under the request's token as long as nobody has renewed it. */
export function heldSession({ session, sessionToken }: FastifyRequest): HeldSession {
  return { id: session!.id, token: sessionToken! };
}
