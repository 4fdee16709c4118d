import type { TenantSession } from '../tenant-store.ts';

/** Whether the person has an authenticator app or a passkey. With the account locked, it stays so until the transaction ends. */
export async function hasSecondFactor(session: TenantSession, personId: string): Promise<boolean> {
  const rows = await session.query({
    text: `select from totp_factors where person_id = $1 and confirmed
      union all select from passkeys where person_id = $1 limit 1`,
    values: [personId],
  });
  return rows.length > 0;
}
