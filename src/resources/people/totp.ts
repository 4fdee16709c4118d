import { generateSecret, verify } from 'otplib';
import { storingLock } from '../../database/advisory-locks.ts';
import type { PeopleTransaction } from '../../database/people-store.ts';
import { db } from '../../database/query-builder.ts';
import type { TenantSession } from '../../database/tenant-store.ts';
import { seal, unseal } from '../credentials/envelope.ts';
import type { KeyRing } from '../credentials/key-ring.ts';

/** Seconds that a code may be early or late: one time step (RFC 6238, section 5.2). */
const tolerance = 30;

/** Associated data of the ciphertext, so that it does not open for another person. */
export function totpContext(personId: string): string {
  return `parapet totp|${personId}`;
}

/** Creates a secret that is active after `confirmTotp`. Returns it in base32, this once. */
export async function beginTotp(transaction: PeopleTransaction, ring: KeyRing, personId: string) {
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

/** Replaces the previous secret with the new one. False if the code does not match. */
export async function confirmTotp(
  transaction: PeopleTransaction,
  ring: KeyRing,
  personId: string,
  code: string,
): Promise<boolean> {
  if (!(await spendCode(transaction, ring, personId, code, false))) return false;
  await transaction.query(
    db.deleteFrom('totp_factors').where('person_id', '=', personId).where('confirmed', '=', true),
  );
  await transaction.query(
    db.updateTable('totp_factors').set({ confirmed: true }).where('person_id', '=', personId),
  );
  return true;
}

/** Whether the code matches the person's secret. Uses it up: the code and earlier ones are no longer accepted. */
export async function spendTotpCode(session: TenantSession, ring: KeyRing, personId: string, code: string) {
  return spendCode(session, ring, personId, code, true);
}

async function spendCode(
  session: TenantSession,
  ring: KeyRing,
  personId: string,
  code: string,
  confirmed: boolean,
): Promise<boolean> {
  const secret = await openSecret(session, ring, personId, confirmed);
  if (secret === undefined) return false;
  const result = await verify({ secret, token: code, epochTolerance: tolerance });
  if (!result.valid) return false;
  // Decided by the database, so that two nodes cannot accept the same code.
  const spent = await session.query({
    text: `update totp_factors set last_step = $3 where person_id = $1 and confirmed = $2 and last_step < $3
      returning person_id`,
    values: [personId, confirmed, stepOf(result)],
  });
  return spent.length > 0;
}

/** In base32; undefined if there is none. */
async function openSecret(session: TenantSession, ring: KeyRing, personId: string, confirmed: boolean) {
  // A rotation may finish between reading the row and the ring: then the row names another key.
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const [envelope] = await session.query(
      db
        .selectFrom('totp_factors')
        .select(['master_key_id as masterKeyId', 'wrapped_key as wrappedKey', 'ciphertext'])
        .where(({ and }) => and({ person_id: personId, confirmed })),
    );
    if (!envelope) return undefined;
    const master = await ring.find(envelope.masterKeyId);
    if (master) return unseal(envelope, totpContext(personId), master);
  }
  throw new Error('a TOTP secret is wrapped by a missing master key');
}

function stepOf(result: object): number {
  if ('timeStep' in result && typeof result.timeStep === 'number') return result.timeStep;
  throw new Error('a TOTP code was verified without its time step');
}

/** When the secret was set up; undefined if there is none. */
export async function totpSetUpAt(session: TenantSession, personId: string): Promise<string | undefined> {
  const confirmed = db
    .selectFrom('totp_factors')
    .where('person_id', '=', personId)
    .where('confirmed', '=', true);
  return (await session.query(confirmed.select('created_at')))[0]?.created_at;
}

/** False if there was none. */
export async function removeTotp(session: TenantSession, personId: string): Promise<boolean> {
  const removed = db.deleteFrom('totp_factors').where('person_id', '=', personId).returning('confirmed');
  return (await session.query(removed)).length > 0;
}
