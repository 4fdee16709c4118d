import { generateSecret, verify } from 'otplib';
import { seal, unseal } from '../credentials/envelope.ts';
import type { KeyRing } from '../credentials/key-ring.ts';
import { storingLock } from '../credentials/vault.ts';
import type { TenantSession } from '../tenant-store.ts';
import type { PeopleTransaction } from './people-store.ts';

/** Seconds that a code may be early or late: one time step (RFC 6238, section 5.2). */
const tolerance = 30;

/** Bound to the ciphertext, so that it does not open for another person. */
export function totpContext(personId: string): string {
  return `parapet totp|${personId}`;
}

/** Makes a secret that counts once `confirmTotp` has had a code of it. Returns it in base32, for this once. */
export async function beginTotp(
  transaction: PeopleTransaction,
  ring: KeyRing,
  personId: string,
): Promise<string> {
  const secret = generateSecret();
  await transaction.query({ text: `select pg_advisory_xact_lock_shared(${storingLock})` });
  const envelope = seal(secret, totpContext(personId), await ring.current());
  await transaction.query({
    text: `insert into totp_factors (person_id, confirmed, master_key_id, wrapped_key, ciphertext)
      values ($1, false, $2, $3, $4)
      on conflict (person_id, confirmed) do update set master_key_id = excluded.master_key_id, last_step = 0,
        wrapped_key = excluded.wrapped_key, ciphertext = excluded.ciphertext, created_at = now()`,
    values: [personId, envelope.masterKeyId, envelope.wrappedKey, envelope.ciphertext],
  });
  return secret;
}

/** The new secret takes the place of the one before. False when the code is not one of it. */
export async function confirmTotp(
  transaction: PeopleTransaction,
  ring: KeyRing,
  personId: string,
  code: string,
): Promise<boolean> {
  if (!(await spendCode(transaction, ring, personId, code, false))) return false;
  await transaction.query({
    text: 'delete from totp_factors where person_id = $1 and confirmed',
    values: [personId],
  });
  await transaction.query({
    text: 'update totp_factors set confirmed = true where person_id = $1',
    values: [personId],
  });
  return true;
}

/** Whether the code is one of the person's secret. It is spent with it: neither it nor an earlier one is taken again. */
export async function spendTotpCode(
  session: TenantSession,
  ring: KeyRing,
  personId: string,
  code: string,
): Promise<boolean> {
  return spendCode(session, ring, personId, code, true);
}

async function spendCode(
  session: TenantSession,
  ring: KeyRing,
  personId: string,
  code: string,
  confirmed: boolean,
): Promise<boolean> {
  const rows = await session.query<{ master_key_id: string; wrapped_key: Buffer; ciphertext: Buffer }>({
    text: `select master_key_id, wrapped_key, ciphertext from totp_factors where person_id = $1 and confirmed = $2`,
    values: [personId, confirmed],
  });
  const row = rows[0];
  if (!row) return false;
  const master = await ring.find(row.master_key_id);
  if (!master)
    throw new Error(`a TOTP secret is wrapped by master key ${row.master_key_id}, which is not here`);
  const envelope = {
    masterKeyId: row.master_key_id,
    wrappedKey: row.wrapped_key,
    ciphertext: row.ciphertext,
  };
  const secret = unseal(envelope, totpContext(personId), master);
  const result = await verify({ secret, token: code, epochTolerance: tolerance });
  if (!result.valid) return false;
  // Decided by the database, so that two nodes cannot both take one code.
  const spent = await session.query({
    text: `update totp_factors set last_step = $3 where person_id = $1 and confirmed = $2 and last_step < $3
      returning person_id`,
    values: [personId, confirmed, stepOf(result)],
  });
  return spent.length > 0;
}

function stepOf(result: object): number {
  if ('timeStep' in result && typeof result.timeStep === 'number') return result.timeStep;
  throw new Error('a TOTP code was verified without its time step');
}

/** When the secret was set up; undefined without one. */
export async function totpSetUpAt(session: TenantSession, personId: string): Promise<string | undefined> {
  const rows = await session.query<{ created_at: string }>({
    text: 'select created_at from totp_factors where person_id = $1 and confirmed',
    values: [personId],
  });
  return rows[0]?.created_at;
}

/** False when there was none. */
export async function removeTotp(session: TenantSession, personId: string): Promise<boolean> {
  const rows = await session.query({
    text: 'delete from totp_factors where person_id = $1 returning confirmed',
    values: [personId],
  });
  return rows.length > 0;
}
