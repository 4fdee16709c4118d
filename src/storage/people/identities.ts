import type { LinkedIdentity } from '../../contract/dashboard/session.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { Actor } from '../audit.ts';
import type { TenantSession } from '../tenant-store.ts';
import { auditAccount, createAccount, findAccount, foldEmail } from './accounts.ts';
import { closeAccount } from './close-account.ts';
import { hasOpenInvitation } from './invitations.ts';
import type { PeopleTransaction } from './people-store.ts';

/** Whom an OpenID provider vouches for. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  /** An address that the provider has verified; null where it has verified none. */
  readonly email: string | null;
  readonly name: string | null;
}

/** The person that the identity is linked to. */
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
 * What an identity that nobody has linked yet may lead to. `account`: a new one was made for somebody who is invited.
 * `decide`: an account has the address, and the person has to prove that it is theirs, or take the address from it.
 */
export type Arrival =
  | { readonly kind: 'account'; readonly personId: string }
  | { readonly kind: 'decide' }
  | { readonly kind: 'not_invited' };

/** Never links to an account that exists, and accepts no invitation. */
export async function arriveByIdentity(
  transaction: PeopleTransaction,
  identity: Identity,
  address: string,
): Promise<Arrival> {
  if (identity.email === null) return { kind: 'not_invited' };
  if (await findAccount(transaction, identity.email)) return { kind: 'decide' };
  if (!(await hasOpenInvitation(transaction, identity.email))) return { kind: 'not_invited' };
  const personId = await createVerified(transaction, { ...identity, email: identity.email }, address);
  return personId === undefined ? { kind: 'decide' } : { kind: 'account', personId };
}

/**
 * Takes the address from the account that has it without ever having proved it, and makes a new one for its owner. Returns
 * the new account's id. Throws `account_verified` where the address was proved.
 */
export async function claimAddress(
  transaction: PeopleTransaction,
  identity: Identity,
  address: string,
): Promise<string> {
  const { email } = identity;
  if (email === null) throw new Refusal('link_invalid');
  const account = await findAccount(transaction, email);
  if (account) {
    const rows = await transaction.query<{ verified: boolean }>({
      text: 'select email_verified_at is not null as verified from people where id = $1 for no key update',
      values: [account.id],
    });
    if (rows[0]!.verified) throw new Refusal('account_verified');
    await closeAccount(transaction, account.id, { kind: 'person', id: account.id, address });
  }
  const personId = await createVerified(transaction, { ...identity, email }, address);
  if (personId === undefined) throw new Refusal('account_verified');
  return personId;
}

async function createVerified(
  transaction: PeopleTransaction,
  identity: Identity & { readonly email: string },
  address: string,
): Promise<string | undefined> {
  const { email, name } = identity;
  const account = { email, name: name ?? email, passwordHash: null, emailVerified: true };
  const personId = await createAccount(transaction, account);
  if (personId !== undefined) {
    await linkIdentity(transaction, identity, personId, { kind: 'person', id: personId, address });
  }
  return personId;
}

/**
 * Links the identity to the account, whose owner has just proved both. The account's address is verified where it is the one
 * that the provider vouches for. Throws `identity_taken`.
 */
export async function linkIdentity(
  transaction: PeopleTransaction,
  { issuer, subject, email }: Identity,
  personId: string,
  actor: Actor,
): Promise<void> {
  const rows = await transaction.query({
    text: `insert into person_identities (issuer, subject, person_id, email) values ($1, $2, $3, $4)
      on conflict (issuer, subject) do nothing returning id`,
    values: [issuer, subject, personId, email],
  });
  if (rows.length === 0) {
    if ((await personOfIdentity(transaction, { issuer, subject })) === personId) return;
    throw new Refusal('identity_taken');
  }
  if (email !== null) await verifyEmail(transaction, personId, email);
  await auditAccount(transaction, actor, personId, {
    action: 'person.identity_linked',
    detail: { issuer, email },
  });
}

async function verifyEmail(transaction: PeopleTransaction, personId: string, email: string): Promise<void> {
  await transaction.query({
    text: `update people set email_verified_at = coalesce(email_verified_at, now())
      where id = $1 and lower(email collate "C") = $2`,
    values: [personId, foldEmail(email)],
  });
}

/**
 * Somebody signs in by an identity that is linked. Where the account's address was verified by it and the provider now
 * vouches for another, the account follows to that one; where another account has it, or the provider vouches for none, the
 * address is no longer verified: it may be somebody else's by now. False where the identity was unlinked meanwhile.
 */
export async function followIdentity(
  transaction: PeopleTransaction,
  { issuer, subject, email }: Identity,
  personId: string,
  actor: Actor,
): Promise<boolean> {
  const rows = await transaction.query<{ email: string; verified: boolean; vouched: string | null }>({
    text: `select p.email, p.email_verified_at is not null as verified, i.email as vouched
      from people p join person_identities i on i.person_id = p.id
      where p.id = $1 and i.issuer = $2 and i.subject = $3 for no key update`,
    values: [personId, issuer, subject],
  });
  const before = rows[0];
  if (!before) return false;
  await transaction.query({
    text: 'update person_identities set email = $3 where issuer = $1 and subject = $2',
    values: [issuer, subject, email],
  });
  if (email !== null && foldEmail(email) === foldEmail(before.email)) {
    await verifyEmail(transaction, personId, email);
    return true;
  }
  const wasVerifiedHere = before.vouched !== null && foldEmail(before.vouched) === foldEmail(before.email);
  if (!before.verified || !wasVerifiedHere) return true;
  const free = email !== null && !(await findAccount(transaction, email));
  await transaction.query({
    text: `update people set email = case when $2 then $3 else email end, email_verified_at = case when $2 then now() end
      where id = $1`,
    values: [personId, free, email ?? before.email],
  });
  await auditAccount(transaction, actor, personId, {
    action: 'person.address_changed',
    detail: { from: before.email, to: free ? email : null },
  });
  return true;
}

/** What the person can sign in with at the provider, oldest first. */
export async function listIdentities(session: TenantSession, personId: string): Promise<LinkedIdentity[]> {
  return session.query<LinkedIdentity>({
    text: `select id, issuer, email, created_at from person_identities where person_id = $1 order by created_at, id`,
    values: [personId],
  });
}

/** False when the person has no such identity. */
export async function unlinkIdentity(
  transaction: PeopleTransaction,
  personId: string,
  id: string,
): Promise<boolean> {
  const rows = await transaction.query({
    text: 'delete from person_identities where person_id = $1 and id = $2 returning id',
    values: [personId, id],
  });
  return rows.length > 0;
}
