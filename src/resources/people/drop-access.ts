import type { PeopleTransaction } from '../../database/people-store.ts';
import { removeBackupCodes } from './backup-codes.ts';
import { forgetDevices } from './known-devices.ts';
import { removeLinks } from './one-time-links.ts';
import { endOtherSessions } from './sessions.ts';

/** What is dropped and what stays. */
interface Dropping {
  /** The session in which the ownership of the account was just proved; null if there is none. */
  readonly keptSession: string | null;
  /** The identity that just proved it. */
  readonly keptIdentity?: string;
  /** Whether second factors and backup codes are removed too. */
  readonly factors: boolean;
}

/** What was dropped. */
interface Dropped {
  readonly sessions: number;
  readonly identities: number;
  readonly totp: boolean;
  readonly passkeys: number;
}

/**
 * Removes ways into an account from before its ownership was proved: linked identities, sessions, the operator's links,
 * known browsers and second factors. The account must be locked. The caller decides about the password.
 */
export async function dropAccess(
  transaction: PeopleTransaction,
  personId: string,
  { keptSession, keptIdentity, factors }: Dropping,
): Promise<Dropped> {
  const sessions = await endOtherSessions(transaction, personId, keptSession);
  await removeLinks(transaction, personId);
  await forgetDevices(transaction, personId);
  const identities = await transaction.query({
    text: 'delete from person_identities where person_id = $1 and id is distinct from $2 returning id',
    values: [personId, keptIdentity ?? null],
  });
  const dropped = { sessions, identities: identities.length };
  if (!factors) return { ...dropped, totp: false, passkeys: 0 };
  const remove = (table: 'totp_factors' | 'passkeys') =>
    transaction.query({ text: `delete from ${table} where person_id = $1 returning 1`, values: [personId] });
  const totp = (await remove('totp_factors')).length > 0;
  const passkeys = (await remove('passkeys')).length;
  await removeBackupCodes(transaction, personId);
  return { ...dropped, totp, passkeys };
}
