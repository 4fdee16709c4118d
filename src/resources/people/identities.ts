import { randomUUID } from 'node:crypto';
import type { LinkedIdentity } from '../../contract/dashboard/session.ts';
import type { Actor } from '../../database/audit.ts';
import type { PeopleTransaction } from '../../database/people-store.ts';
import type { TenantSession } from '../../database/tenant-store.ts';
import { Refusal } from '../../domain/refusal.ts';
import { auditAccount, createAccount, findAccount, foldEmail, lockAccount } from './accounts.ts';
import { closeAccount } from './close-account.ts';
import { dropAccess } from './drop-access.ts';
import { invitingOrganization } from './invitations.ts';
import { endSessionsOf, isComplete } from './sessions.ts';

/** The identity that an OpenID provider asserts. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  /** An address verified by the provider; null if it has verified none. */
  readonly email: string | null;
  readonly name: string | null;
}

/** The person linked to the identity. */
export async function personOfIdentity(
  session: TenantSession,
  { issuer, subject }: Pick<Identity, 'issuer' | 'subject'>,
): Promise<string | undefined> {
  const rows = await session.query<{ person_id: string }>({
    text: 'select person_id from person_identities where issuer = $1 and subject = $2',
    values: [issuer, subject],
  });
  return rows[0]?.person_id;
}

/**
 * The results of a sign-in with an unlinked identity. `account`: a new one was created for an invited person. `decide`:
 * an account has the address, and the person has to prove that the account is theirs, or claim the address from it.
 */
export type Arrival =
  | { readonly kind: 'account'; readonly personId: string }
  | { readonly kind: 'decide' }
  | { readonly kind: 'not_invited' };

/** Never links to an existing account, and accepts no invitation. */
export async function arriveByIdentity(
  transaction: PeopleTransaction,
  identity: Identity,
  address: string,
): Promise<Arrival> {
  if (identity.email === null) return { kind: 'not_invited' };
  if (await findAccount(transaction, identity.email)) return { kind: 'decide' };
  if (!(await invitingOrganization(transaction, identity.email))) return { kind: 'not_invited' };
  const personId = await createVerified(transaction, { ...identity, email: identity.email }, address);
  return personId === undefined ? { kind: 'decide' } : { kind: 'account', personId };
}

/**
 * Removes the address from an account that never verified it, and creates a new account for its owner. Returns the new
 * account's id. Throws `account_verified` if the address was verified.
 */
export async function claimAddress(transaction: PeopleTransaction, identity: Identity, address: string) {
  const { email } = identity;
  if (email === null) throw new Refusal('link_invalid');
  // The new account is the actor that closes the old one, which had another owner.
  const id = randomUUID();
  const account = await findAccount(transaction, email);
  if (account) {
    const locked = await lockAccount(transaction, account.id);
    if (locked?.emailVerified) throw new Refusal('account_verified');
    // The account may have been closed meanwhile.
    if (locked && foldEmail(locked.email) === foldEmail(email)) {
      await closeAccount(
        transaction,
        account.id,
        { kind: 'person', id, address },
        { provider: identity.issuer },
      );
    }
  }
  const personId = await createVerified(transaction, { ...identity, email }, address, id);
  if (personId === undefined) throw new Refusal('account_verified');
  return personId;
}

async function createVerified(
  transaction: PeopleTransaction,
  identity: Identity & { readonly email: string },
  address: string,
  id?: string,
): Promise<string | undefined> {
  const { email, name } = identity;
  const invitedBy = (await invitingOrganization(transaction, email)) ?? null;
  const account = { id, email, name: name ?? email, passwordHash: null, emailVerified: true, invitedBy };
  const personId = await createAccount(transaction, account);
  if (personId !== undefined) {
    const actor = { kind: 'person', id: personId, address } as const;
    await linkIdentity(transaction, identity, { personId, sessionId: null, actor });
  }
  return personId;
}

/** The account's owner and the session of the proof; null for an account without sessions. */
interface Prover {
  readonly personId: string;
  readonly sessionId: string | null;
  readonly actor: Actor;
}

/**
 * Links the identity to the account, which is locked, and whose owner has just proved both. The address of the account
 * becomes verified if the provider asserts it. Throws `identity_taken`.
 */
export async function linkIdentity(
  transaction: PeopleTransaction,
  { issuer, subject, email }: Identity,
  prover: Prover,
): Promise<void> {
  const { personId, actor } = prover;
  const rows = await transaction.query<{ id: string }>({
    text: `insert into person_identities (issuer, subject, person_id, email) values ($1, $2, $3, $4)
      on conflict (issuer, subject) do nothing returning id`,
    values: [issuer, subject, personId, email],
  });
  if (!rows[0]) {
    if ((await personOfIdentity(transaction, { issuer, subject })) === personId) return;
    throw new Refusal('identity_taken');
  }
  await auditAccount(transaction, actor, personId, {
    action: 'person.identity_linked',
    detail: { issuer, email },
  });
  if (email !== null) await verifyEmail(transaction, { ...prover, identityId: rows[0].id, email });
}

/**
 * The provider asserts an address for the signed-in person. If it is the account's unverified address, it becomes
 * verified, and other identities, sessions and links are removed, since they are from before the proof. The password
 * and the second factors stay: the person signed in with them.
 */
async function verifyEmail(
  transaction: PeopleTransaction,
  { personId, sessionId, actor, identityId, email }: Prover & { identityId: string; email: string },
): Promise<void> {
  const verified = await transaction.query({
    text: `update people set email_verified_at = now()
      where id = $1 and lower(email collate "C") = $2 and email_verified_at is null returning id`,
    values: [personId, foldEmail(email)],
  });
  if (verified.length === 0) return;
  const { sessions, identities } = await dropAccess(transaction, personId, {
    keptSession: sessionId,
    keptIdentity: identityId,
    factors: false,
  });
  await auditAccount(transaction, actor, personId, {
    action: 'person.address_verified',
    detail: { email, sessions, identities },
  });
}

/** Locks the account of a sign-in with a linked identity. False if it was unlinked or the account closed meanwhile. */
export async function lockIdentity(transaction: PeopleTransaction, identity: Identity, personId: string) {
  await lockAccount(transaction, personId);
  return (await personOfIdentity(transaction, identity)) === personId;
}

/**
 * Applies the provider's assertion once the sign-in is complete, so that an attacker who only has the account at the
 * provider changes nothing here. If the account's address was verified by the identity and the provider now asserts
 * another one, the account takes that address, unless another account has it. If the provider asserts none, the address
 * is no longer verified, since it may belong to someone else. Does nothing for sessions that no identity has opened.
 * The account must be locked.
 */
export async function followProvider(transaction: PeopleTransaction, sessionId: string, actor: Actor) {
  const rows = await transaction.query<SignInByProvider>({
    text: `select p.id as "personId", p.email, p.email_verified_at is not null as verified, i.id as "identityId",
        i.email as before, s.vouched_email as vouched
      from sessions s join people p on p.id = s.person_id join person_identities i on i.id = s.identity_id
      where s.id = $1 and s.ended_at is null and ${isComplete} and s.created_at > coalesce(i.followed_at, '-infinity')`,
    values: [sessionId],
  });
  const signIn = rows[0];
  if (!signIn) return;
  const { personId, identityId, vouched } = signIn;
  const wasVerifiedHere =
    signIn.verified && signIn.before !== null && foldEmail(signIn.before) === foldEmail(signIn.email);
  const moves = wasVerifiedHere && (vouched === null || foldEmail(vouched) !== foldEmail(signIn.email));
  // Kept as verified: the account takes the other address once no account has it.
  const waits = moves && vouched !== null && (await findAccount(transaction, vouched)) !== undefined;
  await transaction.query({
    text: `update person_identities set followed_at = (select created_at from sessions where id = $2),
      email = case when $4 then email else $3 end where id = $1`,
    values: [identityId, sessionId, vouched, waits],
  });
  if (vouched !== null)
    await verifyEmail(transaction, { personId, sessionId, actor, identityId, email: vouched });
  if (!moves || waits) return;
  await transaction.query({
    text: `update people set email = coalesce($2, email), email_verified_at = case when $2::text is not null then now() end
      where id = $1`,
    values: [personId, vouched],
  });
  await auditAccount(transaction, actor, personId, {
    action: 'person.address_changed',
    detail: { from: signIn.email, to: vouched },
  });
}

interface SignInByProvider {
  readonly personId: string;
  /** The account's address, and whether it is verified. */
  readonly email: string;
  readonly verified: boolean;
  readonly identityId: string;
  /** The address in the last assertion that was applied, and the current one. */
  readonly before: string | null;
  readonly vouched: string | null;
}

/** The linked identities of the person, oldest first. */
export async function listIdentities(session: TenantSession, personId: string): Promise<LinkedIdentity[]> {
  return session.query<LinkedIdentity>({
    text: `select id, issuer, email, created_at from person_identities where person_id = $1 order by created_at, id`,
    values: [personId],
  });
}

/** Ends the sessions that it opened, except the given one. False if the person has no such identity. */
export async function unlinkIdentity(
  transaction: PeopleTransaction,
  personId: string,
  id: string,
  sessionId: string,
): Promise<boolean> {
  const rows = await transaction.query({
    text: 'delete from person_identities where person_id = $1 and id = $2 returning id',
    values: [personId, id],
  });
  if (rows.length === 0) return false;
  await endSessionsOf(transaction, id, sessionId);
  return true;
}
