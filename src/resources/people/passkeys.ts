import type { Passkey } from '../../contract/dashboard/session.ts';
import { countOfRows } from '../../database/expressions.ts';
import { db } from '../../database/query-builder.ts';
import type { TenantSession } from '../../database/tenant-store.ts';
import { Refusal } from '../../domain/refusal.ts';

/** Passkeys per person: the options of a sign-in list all of them. */
const mostPasskeys = 20;

/** The data for verifying a passkey's response (WebAuthn Level 3, section 4). */
export interface StoredPasskey {
  readonly id: string;
  /** base64url. */
  readonly credentialId: string;
  /** COSE key. */
  readonly publicKey: Buffer;
  readonly signCount: number;
  readonly transports: string[];
  /**
   * The origin (RFC 6454) where it was added; null for passkeys from before origins were stored, until they are used.
   */
  readonly origin: string | null;
}

const passkeysOf = (personId: string) => db.selectFrom('passkeys').where('person_id', '=', personId);

/** The credentials that browsers need to find the person's passkeys, oldest first. */
export async function listCredentials(
  session: TenantSession,
  personId: string,
): Promise<Pick<StoredPasskey, 'credentialId' | 'transports'>[]> {
  return session.query(
    passkeysOf(personId).select(['credential_id as credentialId', 'transports']).orderBy('created_at'),
  );
}

/** Throws `too_many_passkeys` if the person has the maximum. With the account locked, none is added meanwhile. */
export async function assertRoomForPasskey(session: TenantSession, personId: string): Promise<void> {
  const [kept] = await session.query(passkeysOf(personId).select(countOfRows.as('count')));
  if (kept!.count >= mostPasskeys) throw new Refusal('too_many_passkeys');
}

/** Finds a passkey of any person by its credential id. */
export async function findPasskey(
  session: TenantSession,
  credentialId: string,
): Promise<(StoredPasskey & { readonly personId: string }) | undefined> {
  const [passkey] = await session.query(
    db
      .selectFrom('passkeys')
      .select(['id', 'person_id as personId', 'credential_id as credentialId', 'public_key as publicKey'])
      .select(['sign_count as signCount', 'transports', 'origin'])
      .where('credential_id', '=', credentialId),
  );
  return passkey;
}

export async function listPasskeys(session: TenantSession, personId: string): Promise<Passkey[]> {
  const passkeys = passkeysOf(personId).select(['id', 'name', 'created_at', 'last_used_at']);
  return session.query(passkeys.orderBy('created_at').orderBy('id'));
}

/** False if the credential is already registered for any person. */
export async function insertPasskey(
  session: TenantSession,
  personId: string,
  passkey: Omit<StoredPasskey, 'id'> & { readonly name: string },
): Promise<boolean> {
  const { credentialId: credential_id, publicKey: public_key, signCount: sign_count, ...others } = passkey;
  const inserted = await session.query(
    db
      .insertInto('passkeys')
      .values({ ...others, person_id: personId, credential_id, public_key, sign_count })
      .onConflict(known => known.column('credential_id').doNothing())
      .returning('id'),
  );
  return inserted.length > 0;
}

/**
 * Stores the counter of a response, and its origin if none is stored. False if the counter did not increase although
 * the authenticator counts, which indicates a copy (WebAuthn Level 3, section 6.1.1), or if another origin was stored
 * meanwhile.
 *
 * @param origin the stored one, or that of the response if none is stored
 */
export async function advancePasskey(session: TenantSession, id: string, signCount: number, origin: string) {
  const rows = await session.query({
    text: `update passkeys set sign_count = $2, last_used_at = now(), origin = $3
      where id = $1 and (sign_count < $2 or ($2 = 0 and sign_count = 0)) and (origin is null or origin = $3) returning id`,
    values: [id, signCount, origin],
  });
  return rows.length > 0;
}

export async function renamePasskey(session: TenantSession, personId: string, id: string, name: string) {
  const renamed = db.updateTable('passkeys').set({ name }).where('person_id', '=', personId);
  return (await session.query(renamed.where('id', '=', id).returning('id'))).length > 0;
}

export async function removePasskey(session: TenantSession, personId: string, id: string): Promise<boolean> {
  const removed = db.deleteFrom('passkeys').where('person_id', '=', personId).where('id', '=', id);
  return (await session.query(removed.returning('id'))).length > 0;
}
