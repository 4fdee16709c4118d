import type { Actor } from '../audit.ts';
import { auditAccount, createAccount, findAccount } from './accounts.ts';
import { addMember } from './memberships.ts';
import type { PeopleTransaction } from './people-store.ts';

/** Whom an OpenID provider vouches for. `email` is one that the provider has verified. */
interface Identity {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | undefined;
  readonly name: string | undefined;
}

interface OpenInvitation {
  readonly id: string;
  readonly organization_id: string;
  readonly role: 'owner' | 'admin' | 'member';
}

/**
 * The person of a provider's account. The first time it is found by the verified address: of an account, or of an
 * invitation, which is accepted with it. Undefined for whom nobody has invited.
 */
export async function personOfIdentity(
  transaction: PeopleTransaction,
  identity: Identity,
  address: string,
): Promise<string | undefined> {
  const { issuer, subject, email } = identity;
  const known = await transaction.query<{ person_id: string }>({
    text: 'select person_id from person_identities where issuer = $1 and subject = $2',
    values: [issuer, subject],
  });
  if (known[0]) return known[0].person_id;
  if (email === undefined) return undefined;
  const invitations = await transaction.query<OpenInvitation>({
    text: `update invitations set accepted_at = now() where lower(email) = lower($1) and accepted_at is null
      and revoked_at is null and expires_at > now() returning id, organization_id, role`,
    values: [email],
  });
  const account = await findAccount(transaction, email);
  if (!account && invitations.length === 0) return undefined;
  const personId =
    account?.id ??
    (await createAccount(transaction, { email, name: identity.name ?? email, passwordHash: null }));
  if (personId === undefined) return undefined;
  await transaction.query({
    text: 'insert into person_identities (issuer, subject, person_id) values ($1, $2, $3) on conflict do nothing',
    values: [issuer, subject, personId],
  });
  const actor: Actor = { kind: 'person', id: personId, address };
  for (const { id, organization_id, role } of invitations) {
    await addMember(transaction, organization_id, personId, role);
    await transaction.audit(organization_id, actor, {
      action: 'person.joined',
      objectKind: 'person',
      objectId: personId,
      detail: { email, role, invitation: id },
    });
  }
  await auditAccount(transaction, actor, personId, { action: 'person.identity_linked', detail: { issuer } });
  return personId;
}
