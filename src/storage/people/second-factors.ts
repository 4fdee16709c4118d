import type { TenantSession } from '../tenant-store.ts';

/** SQL: whether the person has set up an authenticator app or a passkey. */
export const factorSetUp = (
  personId: string,
) => `(exists (select from totp_factors t where t.person_id = ${personId} and t.confirmed)
  or exists (select from passkeys k where k.person_id = ${personId}))`;

/** Whether the person has an authenticator app or a passkey. With the account locked, it stays so until the transaction ends. */
export async function hasSecondFactor(session: TenantSession, personId: string): Promise<boolean> {
  const rows = await session.query<{ isSetUp: boolean }>({
    text: `select ${factorSetUp('$1')} as "isSetUp"`,
    values: [personId],
  });
  return rows[0]!.isSetUp;
}
